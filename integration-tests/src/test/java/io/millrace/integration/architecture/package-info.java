/** Tests that hold the walls between the modules and the limits of the code style. */
package io.millrace.integration.architecture;
