"""Do what the workflow beside this file does, as somebody who knows pandas would write it."""

import sys

import pandas as pd

KEPT = ["order_id", "customer_id", "order_date", "product", "quantity", "unit_price", "channel",
        "status", "updated"]  # fmt: skip


def main(orders: str, customers: str, result: str) -> None:
    table = pd.read_csv(orders, usecols=KEPT, dtype=str)
    table["day"] = pd.to_datetime(table["order_date"], format="%Y-%m-%d", errors="coerce").fillna(
        pd.to_datetime(table["order_date"], format="%d/%m/%Y", errors="coerce")
    )
    price = pd.to_numeric(table["unit_price"].str.replace(",", ""), errors="coerce")
    table["amount"] = price * pd.to_numeric(table["quantity"], errors="coerce")
    table["channel"] = table["channel"].str.strip().str.lower()
    table["sku"] = table["product"].str.extract(r"(?i)sku-([0-9]+)")
    table = table[(table["status"] != "cancelled") & table["day"].notna()]
    table = table.drop(columns=["order_date", "product", "quantity", "unit_price", "status"])
    table = table.sort_values("updated", ascending=False, kind="stable")
    table = table.drop_duplicates("order_id").sort_index()
    known = pd.read_csv(customers, usecols=["customer_id", "region"], dtype=str)
    table = table.merge(known, on="customer_id", how="left")
    table["region"] = table["region"].fillna("unknown")
    table["month"] = table["day"].dt.strftime("%Y-%m")
    place = table.groupby("customer_id")["amount"].rank(method="first", ascending=False)
    table["top"] = table["amount"].where(place <= 3)
    monthly = table.groupby(["region", "month", "channel"], as_index=False).agg(
        orders=("amount", "size"),
        products=("sku", "nunique"),
        revenue=("amount", "sum"),
        largest=("top", "sum"),
    )
    wide = monthly.pivot(
        index=["region", "month"],
        columns="channel",
        values=["revenue", "largest", "products", "orders"],
    )
    wide.columns = [f"{channel}_{value}" for value, channel in wide.columns]
    wide.reset_index().sort_values(["region", "month"]).to_csv(result, index=False)


if __name__ == "__main__":
    main(*sys.argv[1:4])
