CREATE TABLE `rates` (
	`asset` text NOT NULL,
	`version` integer NOT NULL,
	`numerator` integer NOT NULL,
	`denominator` integer NOT NULL,
	`stated_at` integer NOT NULL,
	PRIMARY KEY(`asset`, `version`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `trades` ADD `rate_version` integer;--> statement-breakpoint
ALTER TABLE `trades` ADD `allowance` integer;--> statement-breakpoint
-- As in 0021, with what a trade in another currency has drawn on an allowance in dollars.
DROP VIEW `postings`;--> statement-breakpoint
CREATE VIEW `postings` AS
  SELECT t.id AS "transaction", l.column1 AS line,
    CASE l.column1 WHEN 1 THEN t.buyer WHEN 2 THEN t.seller WHEN 3 THEN t.seller WHEN 4 THEN t.buyer ELSE 'boundary:fees' END AS account,
    CASE WHEN l.column1 IN (3, 4) THEN t.asset_id ELSE t.quote_asset END AS asset,
    CASE l.column1 WHEN 1 THEN -(t.notional + t.buyer_fee) WHEN 2 THEN t.notional - t.seller_fee
      WHEN 3 THEN -t.quantity WHEN 4 THEN t.quantity ELSE t.buyer_fee + t.seller_fee END AS amount
  FROM trades t CROSS JOIN (VALUES (1), (2), (3), (4), (5)) l
  WHERE l.column1 < 5 OR t.buyer_fee + t.seller_fee > 0
  UNION ALL
  SELECT t.id, l.column1,
    CASE WHEN l.column1 IN (6, 8) THEN t.buyer ELSE 'boundary:limits' END,
    CASE WHEN l.column1 IN (6, 7) THEN t.allowance_asset ELSE t.position_asset END,
    CASE l.column1 WHEN 6 THEN -t.allowance WHEN 7 THEN t.allowance WHEN 8 THEN -t.quantity ELSE t.quantity END
  FROM (
    SELECT x.id, x.buyer, coalesce(x.allowance, x.notional) AS allowance, x.quantity,
      coalesce(o.allowance_asset, d.allowance_asset) AS allowance_asset,
      coalesce(o.position_asset, d.position_asset) AS position_asset
    FROM trades x LEFT JOIN orders o ON o.id = x.buy_order LEFT JOIN traded_orders d ON d.id = x.buy_order) t
  CROSS JOIN (VALUES (6), (7), (8), (9)) l
  WHERE CASE WHEN l.column1 IN (6, 7) THEN t.allowance_asset ELSE t.position_asset END IS NOT NULL
  UNION ALL
  SELECT t.id, l.column1,
    CASE l.column1 WHEN 10 THEN t.seller ELSE 'boundary:limits' END,
    t.position_asset,
    CASE l.column1 WHEN 10 THEN t.quantity ELSE -t.quantity END
  FROM (
    SELECT x.id, x.seller, x.quantity, coalesce(o.position_asset, d.position_asset) AS position_asset
    FROM trades x LEFT JOIN orders o ON o.id = x.sell_order LEFT JOIN traded_orders d ON d.id = x.sell_order) t
  CROSS JOIN (VALUES (10), (11)) l
  WHERE t.position_asset IS NOT NULL
  UNION ALL
  SELECT e.id, l.column1,
    CASE l.column1 WHEN 1 THEN e.account ELSE e.boundary END,
    e.asset,
    CASE l.column1 WHEN 1 THEN e.amount ELSE -e.amount END
  FROM ledger_transactions e CROSS JOIN (VALUES (1), (2)) l
  UNION ALL
  SELECT a.id, l.column1,
    CASE WHEN l.column1 IN (1, 4) THEN t.buyer WHEN l.column1 IN (2, 3) THEN t.seller ELSE 'boundary:fees' END,
    CASE WHEN l.column1 IN (3, 4) THEN t.asset_id ELSE t.quote_asset END,
    CASE l.column1 WHEN 1 THEN t.notional + t.buyer_fee - a.notional - a.buyer_fee
      WHEN 2 THEN a.notional - a.seller_fee - t.notional + t.seller_fee
      WHEN 3 THEN t.quantity - a.quantity WHEN 4 THEN a.quantity - t.quantity
      ELSE a.buyer_fee + a.seller_fee - t.buyer_fee - t.seller_fee END
  FROM trade_adjustments a JOIN trades t ON t.id = a.trade_id CROSS JOIN (VALUES (1), (2), (3), (4), (5)) l
  WHERE l.column1 < 5 OR t.buyer_fee + t.seller_fee > 0;
