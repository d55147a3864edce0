/** From physical plans to pipelines, and the entry that runs one task of a stage. */
package io.millrace.exec.build;
