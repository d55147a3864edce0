/** Generated reference pages are what the code says. */
package io.millrace.integration.docs;
