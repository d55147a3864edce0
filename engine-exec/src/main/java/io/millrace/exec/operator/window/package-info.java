/** Functions over the rows around each row, on sorted input. */
package io.millrace.exec.operator.window;
