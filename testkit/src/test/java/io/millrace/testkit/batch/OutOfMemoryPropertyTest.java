package io.millrace.testkit.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.BatchCodec;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.RandomTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;

/** An operation that runs out of memory at any point leaks nothing. */
class OutOfMemoryPropertyTest {
  private static final int TRIES = 300;

  /** Runs an operation that consumes its batch under a small limit, both in one root. */
  private static void check(
      long seed, BatchForm form, BiFunction<Batch, BufferAllocator, AutoCloseable> operation)
      throws Exception {
    Random random = new Random(seed);
    Schema schema = new RandomTypes(random).schema(4, 3);
    try (BufferAllocator root = new RootAllocator();
        BufferAllocator wide = root.newChildAllocator("wide", 0, Long.MAX_VALUE);
        BufferAllocator narrow = root.newChildAllocator("narrow", 0, random.nextInt(12) * 64L)) {
      BatchGenerators generators = new BatchGenerators(seed, wide);
      Batch batch = generators.of(schema, generators.rows(schema, 20), form);
      try {
        operation.apply(batch, narrow).close();
      } catch (OutOfMemoryException expected) {
        // The limit was met.
      }
      assertEquals(0, narrow.getAllocatedMemory());
      assertEquals(0, wide.getAllocatedMemory());
    }
  }

  @Property(tries = TRIES)
  void compact(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    check(seed, form, Batch::compact);
  }

  @Property(tries = TRIES)
  void flatten(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    check(seed, form, Batch::flatten);
  }

  @Property(tries = TRIES)
  void concat(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    check(
        seed,
        form,
        (batch, allocator) -> {
          List<Batch> batches = new ArrayList<>();
          batches.add(batch.share());
          batches.add(batch);
          return Batch.concat(batches, allocator);
        });
  }

  @Property(tries = TRIES)
  void build(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    check(
        seed,
        form,
        (batch, allocator) -> {
          try (batch) {
            BatchGenerators generators = new BatchGenerators(seed, allocator);
            return generators.of(
                batch.schema(), generators.rows(batch.schema(), 10), BatchForm.FLAT);
          }
        });
  }

  @Property(tries = TRIES)
  void encodeAndDecode(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    check(
        seed,
        form,
        (batch, allocator) -> {
          try (batch) {
            return BatchCodec.plain()
                .decode(BatchCodec.zstd(1).encode(batch, allocator), allocator);
          }
        });
  }

  @Property(tries = TRIES)
  void decode(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    BatchCodec codec = seed % 2 == 0 ? BatchCodec.plain() : BatchCodec.zstd(1);
    check(
        seed,
        form,
        (batch, allocator) -> {
          byte[] bytes;
          try (batch;
              BufferAllocator other = new RootAllocator()) {
            bytes = codec.encode(batch, other);
          }
          return codec.decode(bytes, allocator);
        });
  }

  @Property(tries = TRIES)
  void toArrow(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    check(seed, form, ArrowBatches::toArrow);
  }

  @Property(tries = TRIES)
  void toArrowEncoded(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    check(seed, form, ArrowBatches::toArrowEncoded);
  }

  @Property(tries = TRIES)
  void slice(@ForAll long seed, @ForAll BatchForm form) throws Exception {
    Random random = new Random(seed);
    check(
        seed,
        form,
        (batch, allocator) -> {
          try (Batch moved = batch.transferTo(allocator)) {
            return moved.slice(1 + random.nextInt(7), 10);
          }
        });
  }
}
