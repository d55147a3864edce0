package io.millrace.testkit.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.BatchCodec;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RandomTypes;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;

/** Damaged bytes end in an error with a code, or in other rows; never in a leak or a crash. */
class DamagedBatchTest {
  private static final long LIMIT_BYTES = 1 << 26;

  @Property(tries = 1000)
  void flippedBitsAndCutsAreSurvived(@ForAll long seed, @ForAll BatchForm form) {
    Random random = new Random(seed);
    Schema schema = new RandomTypes(random).schema(3, 2);
    BatchCodec codec = random.nextBoolean() ? BatchCodec.plain() : BatchCodec.zstd(1);
    try (BufferAllocator root = new RootAllocator(LIMIT_BYTES)) {
      BatchGenerators generators = new BatchGenerators(seed, root);
      byte[] bytes;
      try (Batch batch = generators.of(schema, generators.rows(schema, 8), form)) {
        bytes = codec.encode(batch, root);
      }
      if (random.nextInt(4) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      } else {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try (Batch read = codec.decode(bytes, root)) {
        BatchRows.of(read);
      } catch (MillraceException | OutOfMemoryException refused) {
        // As it should be.
      } catch (IndexOutOfBoundsException
          | NegativeArraySizeException
          | IllegalArgumentException
          | DateTimeException wrongValues) {
        // The envelope was whole, the values inside are not; bounds checks caught it.
      }
      assertEquals(0, root.getAllocatedMemory());
    }
  }
}
