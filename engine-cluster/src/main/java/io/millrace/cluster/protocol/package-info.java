/**
 * The control messages between coordinator and workers and their binary form. Messages are small
 * records without behaviour and without references to the transport; everything large (plans,
 * splits, rows, jars) goes over Flight.
 */
package io.millrace.cluster.protocol;
