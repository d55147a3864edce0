package io.millrace.core.plan;

import java.io.IOException;

/** The numbers of nodes and expressions in encoded plans; a number is never used again. */
enum PlanTag {
  SCAN(1),
  VALUES(2),
  FILTER(3),
  PROJECT(4),
  HASH_JOIN(5),
  AGGREGATE(6),
  SORT(7),
  TOP_N(8),
  LIMIT(9),
  UNION(10),
  UDF(11),
  FETCH(12),
  EXCHANGE(13),
  STAGE_INPUT(14),
  WRITE(15),
  WINDOW(16),
  EXPAND(20),
  UNNEST(21),
  SAMPLE(22),
  RECURSION(23),
  INPUT(64),
  CONSTANT(65),
  CALL(66),
  CAST(67),
  LOGICAL(68),
  CASE_WHEN(69),
  COALESCE(70),
  IN_SET(71),
  FIELD_ACCESS(72);

  private final int number;

  PlanTag(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static PlanTag ofNumber(int number) throws IOException {
    for (PlanTag tag : values()) {
      if (tag.number == number) {
        return tag;
      }
    }
    throw new IOException("unknown plan tag " + number);
  }

  static PlanTag of(PhysicalPlan plan) {
    return switch (plan) {
      case PhysicalPlan.Scan node -> SCAN;
      case PhysicalPlan.Values node -> VALUES;
      case PhysicalPlan.Filter node -> FILTER;
      case PhysicalPlan.Project node -> PROJECT;
      case PhysicalPlan.HashJoin node -> HASH_JOIN;
      case PhysicalPlan.Aggregate node -> AGGREGATE;
      case PhysicalPlan.Sort node -> SORT;
      case PhysicalPlan.TopN node -> TOP_N;
      case PhysicalPlan.Limit node -> LIMIT;
      case PhysicalPlan.Union node -> UNION;
      case PhysicalPlan.Udf node -> UDF;
      case PhysicalPlan.Fetch node -> FETCH;
      case PhysicalPlan.Exchange node -> EXCHANGE;
      case PhysicalPlan.StageInput node -> STAGE_INPUT;
      case PhysicalPlan.Write node -> WRITE;
      case PhysicalPlan.Window node -> WINDOW;
      case PhysicalPlan.Expand node -> EXPAND;
      case PhysicalPlan.Unnest node -> UNNEST;
      case PhysicalPlan.Sample node -> SAMPLE;
      case PhysicalPlan.Recursion node -> RECURSION;
    };
  }

  static PlanTag of(PhysicalExpression expression) {
    return switch (expression) {
      case PhysicalExpression.Input node -> INPUT;
      case PhysicalExpression.Constant node -> CONSTANT;
      case PhysicalExpression.Call node -> CALL;
      case PhysicalExpression.Cast node -> CAST;
      case PhysicalExpression.Logical node -> LOGICAL;
      case PhysicalExpression.CaseWhen node -> CASE_WHEN;
      case PhysicalExpression.Coalesce node -> COALESCE;
      case PhysicalExpression.InSet node -> IN_SET;
      case PhysicalExpression.FieldAccess node -> FIELD_ACCESS;
    };
  }
}
