/**
 * The Akka side of the cluster: the actor systems of coordinator and workers, the actors that feed
 * the state machines of {@code schedule} and carry out their decisions, and the serializer for the
 * control messages. Nothing outside this package sees an Akka type.
 */
package io.millrace.cluster.actor;
