/** DataFrames run end to end in this process. */
package io.millrace.integration.dataframe;
