package io.millrace.core.plan;

import io.millrace.core.batch.FileValue;
import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.type.ImageMode;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Constants of plans as tagged bytes; the classes are those of {@code ColumnVector.valueAt}. */
final class ValueCodec {
  private ValueCodec() {}

  static void write(DataOutput output, Object value) throws IOException {
    switch (value) {
      case null -> output.writeByte('0');
      case Boolean bool -> tagged(output, 'Z').writeBoolean(bool);
      case Byte number -> tagged(output, 'B').writeByte(number);
      case Short number -> tagged(output, 'S').writeShort(number);
      case Integer number -> tagged(output, 'I').writeInt(number);
      case Long number -> tagged(output, 'J').writeLong(number);
      case Float number -> tagged(output, 'F').writeInt(Float.floatToRawIntBits(number));
      case Double number -> tagged(output, 'D').writeLong(Double.doubleToRawLongBits(number));
      case BigInteger number -> bytes(tagged(output, 'G'), number.toByteArray());
      case BigDecimal number -> {
        bytes(tagged(output, 'N'), number.unscaledValue().toByteArray());
        output.writeInt(number.scale());
      }
      case String text -> bytes(tagged(output, 'T'), text.getBytes(StandardCharsets.UTF_8));
      case byte[] data -> bytes(tagged(output, 'X'), data);
      case UUID uuid -> {
        tagged(output, 'U').writeLong(uuid.getMostSignificantBits());
        output.writeLong(uuid.getLeastSignificantBits());
      }
      case FileValue file -> {
        tagged(output, 'H');
        write(output, file.uri());
        write(output, file.offset());
        write(output, file.size());
        write(output, file.etag());
      }
      case ImageValue image -> {
        tagged(output, 'P').writeByte(image.mode().ordinal());
        output.writeInt(image.height());
        output.writeInt(image.width());
        bytes(output, image.data());
      }
      default -> writeTemporalOrNested(output, value);
    }
  }

  private static void writeTemporalOrNested(DataOutput output, Object value) throws IOException {
    switch (value) {
      case LocalDate date -> tagged(output, 'd').writeLong(date.toEpochDay());
      case LocalTime time -> tagged(output, 't').writeLong(time.toNanoOfDay());
      case LocalDateTime local -> {
        tagged(output, 'l').writeLong(local.toEpochSecond(ZoneOffset.UTC));
        output.writeInt(local.getNano());
      }
      case Instant instant -> {
        tagged(output, 'i').writeLong(instant.getEpochSecond());
        output.writeInt(instant.getNano());
      }
      case Duration duration -> {
        tagged(output, 'u').writeLong(duration.getSeconds());
        output.writeInt(duration.getNano());
      }
      case IntervalValue interval -> {
        tagged(output, 'v').writeInt(interval.months());
        output.writeInt(interval.days());
        output.writeLong(interval.nanoseconds());
      }
      case float[] vector -> {
        tagged(output, 'f').writeInt(vector.length);
        for (float element : vector) {
          output.writeInt(Float.floatToRawIntBits(element));
        }
      }
      case double[] vector -> {
        tagged(output, 'e').writeInt(vector.length);
        for (double element : vector) {
          output.writeLong(Double.doubleToRawLongBits(element));
        }
      }
      case List<?> list -> {
        tagged(output, 'L').writeInt(list.size());
        for (Object element : list) {
          write(output, element);
        }
      }
      case Map<?, ?> map -> {
        tagged(output, 'M').writeInt(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          write(output, entry.getKey());
          write(output, entry.getValue());
        }
      }
      default ->
          throw new IllegalArgumentException(
              "A plan cannot hold a constant of this class: " + value.getClass().getName());
    }
  }

  static Object read(DataInput input) throws IOException {
    char tag = (char) input.readByte();
    return switch (tag) {
      case '0' -> null;
      case 'Z' -> (Object) input.readBoolean();
      case 'B' -> (Object) input.readByte();
      case 'S' -> (Object) input.readShort();
      case 'I' -> (Object) input.readInt();
      case 'J' -> (Object) input.readLong();
      case 'F' -> (Object) Float.intBitsToFloat(input.readInt());
      case 'D' -> (Object) Double.longBitsToDouble(input.readLong());
      case 'G' -> new BigInteger(bytes(input));
      case 'N' -> new BigDecimal(new BigInteger(bytes(input)), input.readInt());
      case 'T' -> new String(bytes(input), StandardCharsets.UTF_8);
      case 'X' -> bytes(input);
      case 'U' -> new UUID(input.readLong(), input.readLong());
      case 'H' ->
          new FileValue(
              (String) read(input), (Long) read(input), (Long) read(input), (String) read(input));
      case 'P' -> readImage(input);
      default -> readTemporalOrNested(tag, input);
    };
  }

  private static ImageValue readImage(DataInput input) throws IOException {
    ImageMode mode = ImageMode.values()[input.readByte()];
    return new ImageValue(mode, input.readInt(), input.readInt(), bytes(input));
  }

  private static Object readTemporalOrNested(char tag, DataInput input) throws IOException {
    return switch (tag) {
      case 'd' -> LocalDate.ofEpochDay(input.readLong());
      case 't' -> LocalTime.ofNanoOfDay(input.readLong());
      case 'l' -> LocalDateTime.ofEpochSecond(input.readLong(), input.readInt(), ZoneOffset.UTC);
      case 'i' -> Instant.ofEpochSecond(input.readLong(), input.readInt());
      case 'u' -> Duration.ofSeconds(input.readLong(), input.readInt());
      case 'v' -> new IntervalValue(input.readInt(), input.readInt(), input.readLong());
      case 'f' -> {
        float[] vector = new float[length(input)];
        for (int index = 0; index < vector.length; index++) {
          vector[index] = Float.intBitsToFloat(input.readInt());
        }
        yield vector;
      }
      case 'e' -> {
        double[] vector = new double[length(input)];
        for (int index = 0; index < vector.length; index++) {
          vector[index] = Double.longBitsToDouble(input.readLong());
        }
        yield vector;
      }
      case 'L' -> {
        int size = length(input);
        List<Object> list = new ArrayList<>();
        for (int index = 0; index < size; index++) {
          list.add(read(input));
        }
        yield list;
      }
      case 'M' -> {
        int size = length(input);
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int index = 0; index < size; index++) {
          map.put(read(input), read(input));
        }
        yield map;
      }
      default -> throw new IOException("unknown value tag " + (int) tag);
    };
  }

  private static DataOutput tagged(DataOutput output, char tag) throws IOException {
    output.writeByte(tag);
    return output;
  }

  static void bytes(DataOutput output, byte[] data) throws IOException {
    output.writeInt(data.length);
    output.write(data);
  }

  static byte[] bytes(DataInput input) throws IOException {
    byte[] data = new byte[length(input)];
    input.readFully(data);
    return data;
  }

  /** A length that damaged bytes cannot make absurd: plans are far below 256 MiB. */
  static int length(DataInput input) throws IOException {
    int length = input.readInt();
    if (length < 0 || length > 1 << 28) {
      throw new IOException("a length of " + length);
    }
    return length;
  }
}
