"""Tables of text for the planner's tests, written as CSV."""

import csv
import io
from collections.abc import Callable

import pyarrow as pa
import pytest

from prepwright.tables import Table


def text_table(name: str, text: str) -> Table:
    """Return a table in which every column is text and an empty cell is missing."""
    head, *rows = csv.reader(io.StringIO(text.strip("\n") + "\n"))
    columns = {
        column: pa.array([row[at] or None for row in rows], pa.string())
        for at, column in enumerate(head)
    }
    return Table.from_arrow(name, pa.table(columns))


ORDERS = """
order_id,customer_id,order_date,ship_date,region,product,quantity,unit_price,discount,status
1001,C01,03/01/2024,05/01/2024,North,Desk Lamp,2,19.99,0.1,Shipped
1002,C02,15/01/2024,16/01/2024,south,Office Chair,1,149.00,,pending
1003,C01,28/02/2024,01/03/2024,North,Desk Lamp,5,19.99,0.05,Cancelled
1004,C03,07/03/2024,09/03/2024,East,Standing Desk,1,399.00,0.2,Shipped
"""


@pytest.fixture
def read_text() -> Callable[[str, str], Table]:
    """Return the function that makes a table of text from its name and CSV."""
    return text_table


@pytest.fixture
def orders() -> dict[str, Table]:
    return {"orders": text_table("orders", ORDERS)}
