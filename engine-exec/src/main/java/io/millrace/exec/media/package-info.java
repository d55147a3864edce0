/** Media: decoding, scaling and encoding; the only packages that see OpenCV. */
package io.millrace.exec.media;
