/** Slow, plain stand-ins for what operators call, as reference and to keep their tests apart. */
package io.millrace.exec.fake;
