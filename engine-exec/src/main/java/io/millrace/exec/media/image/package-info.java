/** Kernels of the image functions, over OpenCV. */
package io.millrace.exec.media.image;
