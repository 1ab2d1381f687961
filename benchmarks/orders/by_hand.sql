-- The workflow beside this file as somebody who knows DuckDB would write it.
WITH orders AS (
  SELECT order_id, customer_id, status, updated, lower(trim(channel)) AS channel,
    regexp_extract(product, '(?i)sku-([0-9]+)', 1) AS sku,
    CAST(try_strptime(order_date, ['%Y-%m-%d', '%d/%m/%Y']) AS DATE) AS day,
    TRY_CAST(replace(unit_price, ',', '') AS DOUBLE) * TRY_CAST(quantity AS INTEGER) AS amount
  FROM read_csv('{orders}', all_varchar = true)
),
latest AS (
  SELECT * FROM orders
  WHERE status <> 'cancelled' AND day IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY order_id ORDER BY updated DESC) = 1
),
ranked AS (
  SELECT channel, sku, amount, coalesce(region, 'unknown') AS region, strftime(day, '%Y-%m') AS month,
    row_number() OVER (PARTITION BY customer_id ORDER BY amount DESC, order_id) AS place
  FROM latest LEFT JOIN read_csv('{customers}', all_varchar = true) USING (customer_id)
),
monthly AS (
  SELECT region, month, channel, count(*) AS orders,
    count(DISTINCT sku) AS products, sum(amount) AS revenue,
    sum(amount) FILTER (WHERE place <= 3) AS largest
  FROM ranked GROUP BY ALL
)
SELECT region, month,
  sum(revenue) FILTER (WHERE channel = 'phone') AS phone_revenue,
  sum(revenue) FILTER (WHERE channel = 'shop') AS shop_revenue,
  sum(revenue) FILTER (WHERE channel = 'web') AS web_revenue,
  sum(largest) FILTER (WHERE channel = 'phone') AS phone_largest,
  sum(largest) FILTER (WHERE channel = 'shop') AS shop_largest,
  sum(largest) FILTER (WHERE channel = 'web') AS web_largest,
  max(products) FILTER (WHERE channel = 'phone') AS phone_products,
  max(products) FILTER (WHERE channel = 'shop') AS shop_products,
  max(products) FILTER (WHERE channel = 'web') AS web_products,
  sum(orders) FILTER (WHERE channel = 'phone') AS phone_orders,
  sum(orders) FILTER (WHERE channel = 'shop') AS shop_orders,
  sum(orders) FILTER (WHERE channel = 'web') AS web_orders
FROM monthly GROUP BY region, month ORDER BY region, month
