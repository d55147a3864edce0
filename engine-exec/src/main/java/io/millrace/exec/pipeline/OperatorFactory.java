package io.millrace.exec.pipeline;

/**
 * Makes one stage per driver of a pipeline.
 *
 * @param <S> SourceOperator, Operator or SinkOperator
 */
public interface OperatorFactory<S extends PipelineStage> {

  /** The id of stages that stand for no plan node; their counters are not in the profile. */
  int NO_NODE = -1;

  /** The id of the plan node that the stage works for; its metrics add up under it. */
  int nodeId();

  /** The name for plans, metrics and errors, for example {@code HashJoin}. */
  String name();

  /**
   * A stage for one driver; only assigns.
   *
   * @param driver number of the driver within its pipeline, from 0
   */
  S create(int driver);

  /** A factory from its parts. */
  static <S extends PipelineStage> OperatorFactory<S> of(
      int nodeId, String name, java.util.function.IntFunction<? extends S> creator) {
    return new OperatorFactory<>() {
      @Override
      public int nodeId() {
        return nodeId;
      }

      @Override
      public String name() {
        return name;
      }

      @Override
      public S create(int driver) {
        return creator.apply(driver);
      }
    };
  }
}
