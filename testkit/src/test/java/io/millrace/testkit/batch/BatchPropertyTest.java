package io.millrace.testkit.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.BatchCodec;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RandomTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/** Every operation on batches keeps the rows, whatever form and types they have. */
class BatchPropertyTest {
  private static final int TRIES = 300;

  /** One random batch with what it should hold; fails on a leak. */
  private static final class Trial implements AutoCloseable {
    final BufferAllocator allocator = new RootAllocator();
    final Random random;
    final Schema schema;
    final BatchGenerators generators;
    final List<List<Object>> rows;

    Trial(long seed) {
      random = new Random(seed);
      schema = new RandomTypes(random).schema(4, 3);
      generators = new BatchGenerators(seed, allocator);
      rows = generators.rows(schema, random.nextInt(40));
    }

    Batch batch(BatchForm form) {
      return generators.of(schema, rows, form);
    }

    List<List<Object>> expected() {
      return BatchRows.of(rows);
    }

    @Override
    public void close() {
      allocator.close();
    }
  }

  @Property(tries = TRIES)
  void everyFormHoldsTheRows(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed);
        Batch batch = trial.batch(form)) {
      assertEquals(trial.expected(), BatchRows.of(batch));
      assertTrue(batch.retainedBytes() >= 0);
    }
  }

  @Property(tries = TRIES)
  void compactAndFlattenKeepRows(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed);
        Batch compact = trial.batch(form).compact(trial.allocator);
        Batch flat = trial.batch(form).flatten(trial.allocator)) {
      assertEquals(trial.expected(), BatchRows.of(compact));
      assertNull(compact.selection());
      assertEquals(trial.expected(), BatchRows.of(flat));
      flat.columns().forEach(column -> assertTrue(column instanceof FlatVector));
    }
  }

  @Property(tries = TRIES)
  void sliceAndConcatAreInverse(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed)) {
      List<Batch> pieces = new ArrayList<>();
      try (Batch batch = trial.batch(form)) {
        int from = 0;
        do {
          int count = Math.min(trial.rows.size() - from, trial.random.nextInt(12));
          pieces.add(batch.slice(from, count));
          from += count;
        } while (from < trial.rows.size());
      }
      try (Batch joined = Batch.concat(pieces, trial.allocator)) {
        assertEquals(trial.expected(), BatchRows.of(joined));
      }
    }
  }

  @Property(tries = TRIES)
  void gatherTakesRowsAndNulls(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed);
        Batch batch = trial.batch(form).compact(trial.allocator)) {
      int count = trial.rows.isEmpty() ? 0 : trial.random.nextInt(60);
      int[] indexes = new int[count];
      for (int index = 0; index < count; index++) {
        indexes[index] = trial.random.nextInt(trial.rows.size() + 1) - 1;
      }
      for (int column = 0; column < batch.columnCount(); column++) {
        try (ColumnVector own = Gather.rows(batch.column(column), indexes, count, trial.allocator);
            ColumnVector flat =
                Gather.flatten(batch.column(column), indexes, count, trial.allocator)) {
          assertEquals(count, own.length());
          for (int row = 0; row < count; row++) {
            Object expected =
                indexes[row] < 0 ? null : trial.expected().get(indexes[row]).get(column);
            assertEquals(expected, BatchRows.comparable(own.valueAt(row)));
            assertEquals(expected, BatchRows.comparable(flat.valueAt(row)));
          }
        }
      }
    }
  }

  @Property(tries = TRIES)
  void transferKeepsRowsWhenTheMakerCloses(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed)) {
      Batch moved;
      try (BufferAllocator maker = trial.allocator.newChildAllocator("maker", 0, Long.MAX_VALUE)) {
        moved =
            new BatchGenerators(seed, maker)
                .of(trial.schema, trial.rows, form)
                .transferTo(trial.allocator);
      }
      try (moved) {
        assertEquals(trial.expected(), BatchRows.of(moved));
      }
    }
  }

  @Property(tries = TRIES)
  void codecKeepsRowsAndSchema(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed);
        Batch batch = trial.batch(form)) {
      byte[] bytes = BatchCodec.plain().encode(batch, trial.allocator);
      try (Batch read = BatchCodec.plain().decode(bytes, trial.allocator)) {
        assertEquals(trial.schema, read.schema());
        assertEquals(trial.expected(), BatchRows.of(read));
        for (int index = 0; index < read.columnCount(); index++) {
          if (batch.column(index) instanceof DictionaryVector) {
            assertTrue(read.column(index) instanceof DictionaryVector);
          }
        }
      }
    }
  }

  @Property(tries = TRIES)
  void compressedCodecKeepsRows(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed);
        Batch batch = trial.batch(form)) {
      byte[] bytes = BatchCodec.zstd(1).encode(batch, trial.allocator);
      try (Batch read = BatchCodec.plain().decode(bytes, trial.allocator)) {
        assertEquals(trial.expected(), BatchRows.of(read));
      }
    }
  }

  @Property(tries = 50)
  void codecReadsBatchesOneAfterTheOther(@ForAll long seed) throws IOException {
    try (Trial trial = new Trial(seed)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      long written = 0;
      try (WritableByteChannel output = Channels.newChannel(bytes)) {
        for (BatchForm form : BatchForm.values()) {
          try (Batch batch = trial.batch(form)) {
            written += BatchCodec.plain().write(batch, output, trial.allocator);
          }
        }
      }
      assertEquals(written, bytes.size());
      try (ReadableByteChannel input =
          Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray()))) {
        for (int index = 0; index < BatchForm.values().length; index++) {
          try (Batch read = BatchCodec.plain().read(input, trial.allocator).orElseThrow()) {
            assertEquals(trial.expected(), BatchRows.of(read));
          }
        }
        assertTrue(BatchCodec.plain().read(input, trial.allocator).isEmpty());
      }
    }
  }

  @Property(tries = TRIES)
  void arrowVectorsKeepRowsAndSchema(@ForAll long seed, @ForAll BatchForm form) {
    try (Trial trial = new Trial(seed);
        VectorSchemaRoot root = ArrowBatches.toArrow(trial.batch(form), trial.allocator)) {
      try (Batch read = ArrowBatches.fromArrow(root, trial.allocator)) {
        assertEquals(trial.schema, read.schema());
        assertEquals(trial.expected(), BatchRows.of(read));
      }
    }
  }

  @Property(tries = TRIES)
  void encodedArrowVectorsKeepDictionaries(@ForAll long seed) {
    try (Trial trial = new Trial(seed);
        ArrowBatches.EncodedRoot encoded =
            ArrowBatches.toArrowEncoded(trial.batch(BatchForm.DICTIONARY), trial.allocator);
        Batch read =
            ArrowBatches.fromArrow(encoded.root(), encoded.dictionaries(), trial.allocator)) {
      assertSameShape(trial.schema, read.schema());
      assertEquals(trial.expected(), BatchRows.of(read));
    }
  }

  @Property(tries = TRIES)
  void arrowsOwnStreamsAreReadAndWritten(@ForAll long seed, @ForAll BatchForm form)
      throws IOException {
    try (Trial trial = new Trial(seed)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (VectorSchemaRoot root = ArrowBatches.toArrow(trial.batch(form), trial.allocator);
          ArrowStreamWriter writer =
              new ArrowStreamWriter(root, null, Channels.newChannel(bytes))) {
        writer.writeBatch();
      }
      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), trial.allocator)) {
        reader.loadNextBatch();
        try (Batch read =
            ArrowBatches.fromArrow(reader.getVectorSchemaRoot(), reader, trial.allocator)) {
          assertEquals(trial.schema, read.schema());
          assertEquals(trial.expected(), BatchRows.of(read));
        }
      }
    }
  }

  @Property(tries = TRIES)
  void arrowReadsOurCodec(@ForAll long seed, @ForAll BatchForm form) throws IOException {
    try (Trial trial = new Trial(seed);
        Batch batch = trial.batch(form)) {
      byte[] bytes = BatchCodec.plain().encode(batch, trial.allocator);
      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(bytes), trial.allocator)) {
        assertTrue(reader.loadNextBatch());
        try (Batch read =
            ArrowBatches.fromArrow(reader.getVectorSchemaRoot(), reader, trial.allocator)) {
          assertSameShape(trial.schema, read.schema());
          assertEquals(trial.expected(), BatchRows.of(read));
        }
      }
    }
  }

  /** Java's vectors forget the names of nested fields in dictionaries. */
  private static void assertSameShape(Schema expected, Schema actual) {
    assertEquals(expected.names(), actual.names());
    for (int index = 0; index < expected.size(); index++) {
      assertTrue(
          StorageTypes.sameShape(expected.field(index).type(), actual.field(index).type()),
          actual.toString());
    }
  }
}
