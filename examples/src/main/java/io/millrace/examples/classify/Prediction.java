package io.millrace.examples.classify;

/**
 * What the model says about one picture.
 *
 * @param classIndex the most likely of the 1,000 ImageNet classes, 0 to 999
 * @param label its English name
 * @param probability its probability, 0 to 1
 * @param embedding 1,280 floats of Euclidean length 1, so that the distance of two pictures depends
 *     on what they show and not on how strongly they show it; owned by the caller
 */
public record Prediction(int classIndex, String label, float probability, float[] embedding) {}
