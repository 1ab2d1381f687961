"""Run the SQL beside this file over the two inputs: orders, customers, result."""

import sys
from pathlib import Path

import duckdb

orders, customers, result = sys.argv[1:4]
text = Path(__file__).with_name("by_hand.sql").read_text(encoding="utf-8")
query = text.replace("{orders}", orders).replace("{customers}", customers)
duckdb.execute(f"COPY ({query}) TO '{result}' (HEADER)")
