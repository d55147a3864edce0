/**
 * Rows of key columns as canonical words: equal keys have equal words, so that hashing, comparing
 * and placing rows needs no code per type.
 */
package io.millrace.exec.operator.key;
