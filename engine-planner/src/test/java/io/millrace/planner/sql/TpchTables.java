package io.millrace.planner.sql;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import java.util.Arrays;

/** The eight tables of TPC-H without rows. */
final class TpchTables {
  private static final DataType MONEY = DataType.decimal(15, 2);

  private TpchTables() {}

  static TestCatalog catalog() {
    TestCatalog catalog = new TestCatalog();
    add(catalog, "region", "r_regionkey:i r_name:s r_comment:s");
    add(catalog, "nation", "n_nationkey:i n_name:s n_regionkey:i n_comment:s");
    add(
        catalog,
        "supplier",
        "s_suppkey:l s_name:s s_address:s s_nationkey:i s_phone:s s_acctbal:m s_comment:s");
    add(
        catalog,
        "part",
        "p_partkey:l p_name:s p_mfgr:s p_brand:s p_type:s p_size:i p_container:s p_retailprice:m"
            + " p_comment:s");
    add(
        catalog,
        "partsupp",
        "ps_partkey:l ps_suppkey:l ps_availqty:i ps_supplycost:m ps_comment:s");
    add(
        catalog,
        "customer",
        "c_custkey:l c_name:s c_address:s c_nationkey:i c_phone:s c_acctbal:m c_mktsegment:s"
            + " c_comment:s");
    add(
        catalog,
        "orders",
        "o_orderkey:l o_custkey:l o_orderstatus:s o_totalprice:m o_orderdate:d o_orderpriority:s"
            + " o_clerk:s o_shippriority:i o_comment:s");
    add(
        catalog,
        "lineitem",
        "l_orderkey:l l_partkey:l l_suppkey:l l_linenumber:i l_quantity:m l_extendedprice:m"
            + " l_discount:m l_tax:m l_returnflag:s l_linestatus:s l_shipdate:d l_commitdate:d"
            + " l_receiptdate:d l_shipinstruct:s l_shipmode:s l_comment:s");
    return catalog;
  }

  private static void add(TestCatalog catalog, String table, String columns) {
    catalog.table(
        table, Arrays.stream(columns.split(" ")).map(TpchTables::column).toArray(Field[]::new));
  }

  private static Field column(String text) {
    String name = text.substring(0, text.length() - 2);
    return Field.nullable(
        name,
        switch (text.charAt(text.length() - 1)) {
          case 'i' -> DataType.INT32;
          case 'l' -> DataType.INT64;
          case 'm' -> MONEY;
          case 'd' -> DataType.DATE;
          default -> DataType.STRING;
        });
  }
}
