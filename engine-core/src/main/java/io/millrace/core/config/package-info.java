/** Typed settings with description, unit, range and default. */
package io.millrace.core.config;
