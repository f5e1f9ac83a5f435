CREATE TABLE `unsettled_sums` (
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`kind` text NOT NULL,
	`settles_on` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`account`, `asset`, `kind`, `settles_on`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `unsettled_sums_day` ON `unsettled_sums` (`settles_on`,`account`,`asset`,`kind`);--> statement-breakpoint
ALTER TABLE `markets` ADD `trading_hours` text DEFAULT 'always' NOT NULL;--> statement-breakpoint
ALTER TABLE `trade_adjustments` ADD `unsettled` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `trades` ADD `settles_on` integer;
--> statement-breakpoint
-- A trade at a broker may settle on a later day (X-STL-02): until then the sum that it is part of waits.
DROP VIEW `settlements`;--> statement-breakpoint
CREATE VIEW `settlements` AS
  SELECT t.id AS trade_id, coalesce(t.settles_on, t.executed_at) AS settles_at,
    CASE WHEN t.settles_on IS NOT NULL AND EXISTS (
      SELECT 1 FROM unsettled_sums u
      WHERE u.account = CASE t.buyer WHEN 'boundary:broker-clearing' THEN t.seller ELSE t.buyer END
        AND u.asset = CASE t.buyer WHEN 'boundary:broker-clearing' THEN t.quote_asset ELSE t.asset_id END
        AND u.kind = CASE t.buyer WHEN 'boundary:broker-clearing' THEN 'cash' ELSE 'shares' END
        AND u.settles_on = t.settles_on) THEN 'PENDING' ELSE 'SETTLED' END AS status
  FROM trades t;
--> statement-breakpoint
-- As in 0027, with cash of sales that stays in broker clearing until it settles: settlements are rows of ledger_transactions.
DROP VIEW `postings`;--> statement-breakpoint
CREATE VIEW `postings` AS
  SELECT t.id AS "transaction", l.column1 AS line,
    CASE l.column1 WHEN 1 THEN t.buyer WHEN 2 THEN CASE WHEN t.settles_on IS NULL THEN t.seller ELSE 'boundary:broker-clearing' END
      WHEN 3 THEN t.seller WHEN 4 THEN t.buyer ELSE 'boundary:fees' END AS account,
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
    CASE WHEN l.column1 = 2 AND a.unsettled = 1 THEN 'boundary:broker-clearing' WHEN l.column1 IN (1, 4) THEN t.buyer
      WHEN l.column1 IN (2, 3) THEN t.seller ELSE 'boundary:fees' END,
    CASE WHEN l.column1 IN (3, 4) THEN t.asset_id ELSE t.quote_asset END,
    CASE l.column1 WHEN 1 THEN t.notional + t.buyer_fee - a.notional - a.buyer_fee
      WHEN 2 THEN a.notional - a.seller_fee - t.notional + t.seller_fee
      WHEN 3 THEN t.quantity - a.quantity WHEN 4 THEN a.quantity - t.quantity
      ELSE a.buyer_fee + a.seller_fee - t.buyer_fee - t.seller_fee END
  FROM trade_adjustments a JOIN trades t ON t.id = a.trade_id CROSS JOIN (VALUES (1), (2), (3), (4), (5)) l
  WHERE l.column1 < 5 OR t.buyer_fee + t.seller_fee > 0;
