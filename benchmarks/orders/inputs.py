"""Make the two inputs of the benchmark: orders with versions, and their customers."""

from pathlib import Path

import duckdb

_MACROS = """
    CREATE MACRO pick(n, many) AS (hash(n) % many)::INTEGER;
    CREATE MACRO filled(n, width) AS lpad(n::VARCHAR, width, '0');
"""

_CUSTOMERS = """
    SELECT 'C' || filled(i, 7) AS customer_id,
      'Customer ' || i AS name,
      ['North', 'South', 'East', 'West', 'Centre'][1 + pick(i, 5)] AS region,
      ['small', 'middle', 'large'][1 + pick(i + 7, 3)] AS segment
    FROM range({customers}) t(i)
"""

# one order in 25 comes twice, one customer in 50 is unknown, one price in 20 has a separator;
# dates come in two forms, channels and products in several spellings
_ORDERS = """
    SELECT 'O' || filled(CASE WHEN i % 25 = 1 THEN i - 1 ELSE i END, 9) AS order_id,
      'C' || filled(pick(i * 3, {customers} + {customers} // 50), 7) AS customer_id,
      CASE WHEN pick(i * 7, 5) = 0
        THEN strftime(DATE '2023-01-01' + pick(i * 5, 730), '%d/%m/%Y')
        ELSE (DATE '2023-01-01' + pick(i * 5, 730))::VARCHAR END AS order_date,
      ['  sku-', 'SKU-', 'Sku-'][1 + pick(i * 37, 3)] || filled(pick(i * 11, 5000), 4)
        || [' / Widget ', ' / Gadget, small', ''][1 + pick(i * 41, 3)] AS product,
      1 + pick(i * 13, 9) AS quantity,
      CASE WHEN pick(i * 17, 20) = 0 THEN '1,' || filled(pick(i * 19, 1000), 3)
        ELSE pick(i * 19, 1000)::VARCHAR END || '.' || filled(pick(i * 23, 100), 2) AS unit_price,
      ['web', 'Web ', 'WEB', 'shop', ' Shop', 'phone', 'Phone'][1 + pick(i * 29, 7)] AS channel,
      CASE WHEN pick(i * 31, 20) = 0 THEN 'cancelled' ELSE 'placed' END AS status,
      strftime(TIMESTAMP '2024-06-01' + INTERVAL (i) SECOND, '%Y-%m-%d %H:%M:%S') AS updated
    FROM range({rows}) t(i)
"""


def made(folder: Path, rows: int) -> tuple[Path, Path]:
    """Return the files of the orders and of the customers, made where they are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    orders, customers = folder / f"orders_{rows}.csv", folder / f"customers_{rows}.csv"
    sizes = {"rows": rows, "customers": max(rows // 100, 10)}
    for path, query in ((customers, _CUSTOMERS), (orders, _ORDERS)):
        if not path.exists():
            partial = path.with_suffix(".partial")
            with duckdb.connect() as connection:
                connection.execute(_MACROS)
                copied = f"COPY ({query.format(**sizes)}) TO '{partial}' (FORMAT csv, HEADER)"
                connection.execute(copied)
            partial.replace(path)
    return orders, customers
