/**
 * The main job on a photo album: photos in a Lance table, labels in Parquet, a join that moves no
 * image byte, a model over the photos that survive, and a vector search over what it wrote.
 */
package io.millrace.examples.album;
