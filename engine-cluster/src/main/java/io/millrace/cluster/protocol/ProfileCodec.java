package io.millrace.cluster.protocol;

import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.metrics.QueryProfile;
import java.util.Map;
import java.util.TreeMap;

/** The binary form of profiles. */
public final class ProfileCodec {
  private ProfileCodec() {}

  public static byte[] encode(QueryProfile profile) {
    MessageWriter out = new MessageWriter();
    out.putList(profile.operators(), ProfileCodec::putOperator).putLong(profile.peakBytes());
    return out.toBytes();
  }

  public static QueryProfile decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    QueryProfile profile = new QueryProfile(in.takeList(ProfileCodec::takeOperator), in.takeLong());
    in.end();
    return profile;
  }

  private static void putOperator(MessageWriter out, OperatorProfile operator) {
    out.putInt(operator.id()).putString(operator.name()).putInt(operator.stage());
    out.putLong(operator.rowsIn()).putLong(operator.rowsOut());
    out.putLong(operator.bytesIn()).putLong(operator.bytesOut());
    out.putLong(operator.readBytes());
    out.putLong(operator.fetchedRows()).putLong(operator.fetchedBytes());
    out.putLong(operator.spillBytes()).putLong(operator.shuffleBytes());
    out.putLong(operator.cpuMillis()).putLong(operator.wallMillis());
    out.putLong(operator.peakBytes());
    out.putList(
        new TreeMap<>(operator.extra()).entrySet(),
        (writer, entry) -> writer.putString(entry.getKey()).putLong(entry.getValue()));
  }

  private static OperatorProfile takeOperator(MessageReader in) {
    return new OperatorProfile(
        in.takeInt(),
        in.takeString(),
        in.takeInt(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        in.takeLong(),
        takeExtra(in));
  }

  private static Map<String, Long> takeExtra(MessageReader in) {
    Map<String, Long> extra = new TreeMap<>();
    in.takeList(reader -> extra.put(reader.takeString(), reader.takeLong()) == null);
    return extra;
  }
}
