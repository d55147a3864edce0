package io.millrace.cluster.cli.output;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/** Arrow's IPC stream format: a whole stream for each result, one after the other. */
final class ArrowWriter implements ResultWriter {
  private final WriteChannel channel;
  private final BufferAllocator allocator;

  ArrowWriter(OutputStream out, BufferAllocator allocator) {
    this.channel = new WriteChannel(Channels.newChannel(out));
    this.allocator = allocator;
  }

  @Override
  public void begin(Schema schema) throws IOException {
    List<org.apache.arrow.vector.types.pojo.Field> fields = new ArrayList<>();
    for (Field field : schema.fields()) {
      fields.add(ArrowTypes.toArrow(field));
    }
    MessageSerializer.serialize(channel, new org.apache.arrow.vector.types.pojo.Schema(fields));
  }

  @Override
  public void write(Batch batch) throws IOException {
    try (VectorSchemaRoot root = ArrowBatches.toArrow(batch.share(), allocator);
        ArrowRecordBatch record = new VectorUnloader(root).getRecordBatch()) {
      MessageSerializer.serialize(channel, record);
    }
  }

  @Override
  public void end() throws IOException {
    ArrowStreamWriter.writeEndOfStream(channel, IpcOption.DEFAULT);
  }
}
