/** EfficientNet-Lite0 on the ONNX runtime: a picture's ImageNet class and its embedding. */
package io.millrace.examples.classify;
