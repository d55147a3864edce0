/**
 * Which task runs where and what happens when it fails: state machines without actors, clocks or
 * network. Every method is called from one thread with the present time as an argument and answers
 * with decisions for the caller to carry out, so that tests run them under virtual time.
 */
package io.millrace.cluster.schedule;
