package io.millrace.exec.format.file;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.expression.InputRemapping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Files of one format as a table, with what their format does not know: columns from the names of
 * folders and files, and types that differ from file to file. A filter on the former decides which
 * files are read at all.
 *
 * <p>The format's own splits begin with the file's position and a colon.
 */
public final class FileSetTable implements Table {
  private final Table inner;
  private final List<PinnedFile> files;
  private final List<FileColumn> columns;
  private final List<Map<String, DataType>> ownTypes;
  private final Schema schema;

  /** Columns that the files have too; what the folders say counts. */
  private final Map<String, DataType> shadowed = new LinkedHashMap<>();

  private final Set<Integer> fileColumns = new TreeSet<>();
  private final Set<Integer> differing = new TreeSet<>();
  private final ConnectorContext context;

  private FileSetTable(
      Table inner,
      Schema innerSchema,
      List<PinnedFile> files,
      List<FileColumn> columns,
      List<Map<String, DataType>> ownTypes,
      ConnectorContext context) {
    this.inner = inner;
    this.files = files;
    this.columns = columns;
    this.ownTypes = ownTypes;
    this.context = context;
    List<Field> fields = new ArrayList<>();
    for (Field field : innerSchema.fields()) {
      Optional<FileColumn> shadow =
          columns.stream().filter(column -> column.name().equals(field.name())).findFirst();
      if (shadow.isPresent()) {
        shadowed.put(field.name(), field.type());
        fileColumns.add(fields.size());
      } else if (ownTypes.stream().anyMatch(types -> types.containsKey(field.name()))) {
        differing.add(fields.size());
      }
      fields.add(shadow.map(FileColumn::field).orElse(field));
    }
    for (FileColumn column : columns) {
      if (!shadowed.containsKey(column.name())) {
        fileColumns.add(fields.size());
        fields.add(column.field());
      }
    }
    this.schema = new Schema(fields);
  }

  /**
   * The table itself when there is nothing to add to it.
   *
   * @param files in the order of the source's uris
   * @param schemas the columns of each file where a format has them; empty when the table's fit all
   */
  public static Table around(
      Table table, List<PinnedFile> files, List<Schema> schemas, ConnectorContext context) {
    FileSetOptions options = new FileSetOptions(table.source().options());
    List<FileColumn> columns = new ArrayList<>(HivePartitions.columns(files, options));
    options.fileNameColumn().ifPresent(name -> columns.add(fileNames(name, table.schema(), files)));
    UnifiedSchema unified = UnifiedSchema.of(table.schema(), files, schemas, options.unionByName());
    if (columns.isEmpty() && unified.schema().equals(table.schema()) && unified.isUniform()) {
      return table;
    }
    return new FileSetTable(table, unified.schema(), files, columns, unified.ownTypes(), context);
  }

  private static FileColumn fileNames(String name, Schema schema, List<PinnedFile> files) {
    if (schema.names().contains(name)) {
      throw new MillraceException(
          ErrorCode.INVALID_OPTION_VALUE,
          "The files have a column of the name that option filename gives; choose another: '"
              + name
              + "'");
    }
    return new FileColumn(
        name, DataType.STRING, files.stream().<Object>map(PinnedFile::path).toList());
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public SourceReference source() {
    return inner.source();
  }

  @Override
  public TableStatistics statistics() {
    TableStatistics own = inner.statistics();
    Map<String, ColumnStatistics> all = new HashMap<>(own.columns());
    for (int position : differing) {
      all.remove(schema.field(position).name());
    }
    for (FileColumn column : columns) {
      long nulls = column.values().stream().filter(value -> value == null).count();
      long distinct = column.values().stream().distinct().count() - (nulls > 0 ? 1 : 0);
      all.put(
          column.name(),
          new ColumnStatistics(
              OptionalLong.of(distinct),
              OptionalDouble.of((double) nulls / Math.max(1, files.size())),
              OptionalLong.empty(),
              null,
              null));
    }
    return new TableStatistics(own.rowCount(), own.bytes(), all);
  }

  @Override
  public Set<String> heavyColumns() {
    return inner.heavyColumns();
  }

  @Override
  public List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts) {
    List<PhysicalExpression> accepted = new ArrayList<>();
    for (PhysicalExpression conjunct : conjuncts) {
      Set<Integer> used = inputs(conjunct);
      boolean takes;
      if (used.stream().noneMatch(fileColumns::contains)) {
        // The columns of the format keep their positions: those of files come last.
        takes = !inner.acceptedFilters(List.of(conjunct)).isEmpty();
      } else {
        takes = fileColumns.containsAll(used) && isCompilable(conjunct);
      }
      if (takes) {
        accepted.add(conjunct);
      }
    }
    return accepted;
  }

  private boolean isCompilable(PhysicalExpression conjunct) {
    try (CompiledPredicate compiled =
        ExpressionCompiler.discovered().compilePredicate(conjunct, context.allocator())) {
      return compiled != null;
    } catch (MillraceException noKernel) {
      return false;
    }
  }

  private static Set<Integer> inputs(PhysicalExpression expression) {
    Set<Integer> used = new TreeSet<>();
    InputRemapping.collect(expression, used);
    return used;
  }

  @Override
  public List<Split> splits(ScanSpecification specification, int wantedParallelism) {
    boolean[] read = filesToRead(specification.filters());
    ScanSpecification own =
        FileSetScan.prunable(specification, names(fileColumns), names(differing), shadowed);
    List<Split> innerSplits =
        inner instanceof PrunableFiles prunable
            ? prunable.splits(own, wantedParallelism, file -> read[file])
            : inner.splits(own, wantedParallelism);
    List<Split> splits = new ArrayList<>();
    for (Split split : innerSplits) {
      int file = Integer.parseInt(split.payload().substring(0, split.payload().indexOf(':')));
      if (read[file]) {
        splits.add(
            new Split(
                new FileSetSplit(constants(file), ownTypes(file), split.payload()).payload(),
                split.bytes(),
                split.rows(),
                split.hosts()));
      }
    }
    return splits;
  }

  private Set<String> names(Set<Integer> positions) {
    Set<String> names = new TreeSet<>();
    positions.forEach(position -> names.add(schema.field(position).name()));
    return names;
  }

  private Map<String, String> constants(int file) {
    Map<String, String> constants = new LinkedHashMap<>();
    for (FileColumn column : columns) {
      Object value = column.values().get(file);
      constants.put(column.name(), value == null ? null : value.toString());
    }
    return constants;
  }

  private Map<String, DataType> ownTypes(int file) {
    Map<String, DataType> types = new LinkedHashMap<>(shadowed);
    if (!ownTypes.isEmpty()) {
      types.putAll(ownTypes.get(file));
    }
    return types;
  }

  /** Which files hold rows that may pass the filters on columns that are constant in a file. */
  private boolean[] filesToRead(List<PhysicalExpression> filters) {
    boolean[] read = new boolean[files.size()];
    Arrays.fill(read, true);
    List<PhysicalExpression> decisive = new ArrayList<>();
    for (PhysicalExpression filter : filters) {
      Set<Integer> used = inputs(filter);
      if (!used.isEmpty() && fileColumns.containsAll(used)) {
        decisive.add(filter);
      }
    }
    if (decisive.isEmpty()) {
      return read;
    }
    List<String> names = columns.stream().map(FileColumn::name).toList();
    Arrays.fill(read, false);
    PhysicalExpression all =
        decisive.size() == 1 ? decisive.getFirst() : new PhysicalExpression.Logical(true, decisive);
    PhysicalExpression condition =
        InputRemapping.apply(all, position -> names.indexOf(schema.field(position).name()));
    int[] rows = new int[files.size()];
    try (Batch values = values();
        CompiledPredicate predicate =
            ExpressionCompiler.discovered().compilePredicate(condition, context.allocator())) {
      int count = predicate.select(values, rows);
      for (int index = 0; index < count; index++) {
        read[rows[index]] = true;
      }
    }
    return read;
  }

  /** One row a file. */
  private Batch values() {
    List<ColumnVector> vectors = new ArrayList<>();
    try {
      for (FileColumn column : columns) {
        try (VectorBuilder builder = new VectorBuilder(column.type(), context.allocator())) {
          column.values().forEach(builder::appendValue);
          vectors.add(builder.finish());
        }
      }
      List<ColumnVector> given = List.copyOf(vectors);
      vectors.clear();
      return new Batch(
          new Schema(columns.stream().map(FileColumn::field).toList()), given, files.size());
    } finally {
      vectors.forEach(ColumnVector::close);
    }
  }

  @Override
  public void close() {
    inner.close();
  }
}
