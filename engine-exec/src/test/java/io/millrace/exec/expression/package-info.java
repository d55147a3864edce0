/** Tests of compiled expressions. */
package io.millrace.exec.expression;
