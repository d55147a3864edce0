/**
 * The logical plan: Calcite's nodes and Millrace's own beside them, and the resolution of user
 * expressions against them. Internal to the planner; its types may be Calcite's.
 */
package io.millrace.planner.logical;
