/** Pictures through whole queries. */
package io.millrace.integration.media;
