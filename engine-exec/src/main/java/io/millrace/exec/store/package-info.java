/** Access to bytes by URI scheme. */
package io.millrace.exec.store;
