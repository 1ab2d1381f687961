"""The type names of the expression dialect for Arrow's types."""

import pyarrow as pa
from pyarrow import types as kinds

_SIMPLE = {
    "null": "VARCHAR",
    "bool": "BOOLEAN",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint8": "UTINYINT",
    "uint16": "USMALLINT",
    "uint32": "UINTEGER",
    "uint64": "UBIGINT",
    "halffloat": "FLOAT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": "VARCHAR",
    "large_string": "VARCHAR",
    "string_view": "VARCHAR",
    "binary": "BLOB",
    "large_binary": "BLOB",
    "date32[day]": "DATE",
    "date64[ms]": "DATE",
    "time32[s]": "TIME",
    "time32[ms]": "TIME",
    "time64[us]": "TIME",
    "time64[ns]": "TIME",
}


def type_name(kind: pa.DataType) -> str:
    """Return the dialect's name of an Arrow type; what has no name of its own reads as text."""
    if str(kind) in _SIMPLE:
        return _SIMPLE[str(kind)]
    if kinds.is_decimal(kind):
        return f"DECIMAL({kind.precision},{kind.scale})"
    if kinds.is_timestamp(kind):
        return "TIMESTAMP WITH TIME ZONE" if kind.tz else "TIMESTAMP"
    if kinds.is_dictionary(kind):
        return type_name(kind.value_type)
    if kinds.is_list(kind) or kinds.is_large_list(kind):
        return f"{type_name(kind.value_type)}[]"
    return "VARCHAR"
