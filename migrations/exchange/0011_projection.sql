-- D1 becomes the read model of the ledger object (docs/design/ledger.md#projection). What the ledger holds is written by its projector
-- alone, from nothing: these tables begin empty, and their rows are checked by nobody but the audit.
DROP VIEW `order_admissions`;--> statement-breakpoint
DROP TABLE `books`;--> statement-breakpoint
DROP TABLE `amendments`;--> statement-breakpoint
DROP TABLE `lot_reservations`;--> statement-breakpoint
DROP TABLE `postings`;--> statement-breakpoint
DROP TABLE `settlements`;--> statement-breakpoint
DROP TABLE `ledger_transactions`;--> statement-breakpoint
DROP TABLE `balances`;--> statement-breakpoint
DROP TABLE `lots`;--> statement-breakpoint
DROP TABLE `orders`;--> statement-breakpoint
DELETE FROM `trades`;--> statement-breakpoint
DELETE FROM `transfers`;--> statement-breakpoint
DELETE FROM `bars`;--> statement-breakpoint
-- The ledger begins with version 1 of all facts and rules.
UPDATE `accounts` SET `facts_version` = 1;--> statement-breakpoint
UPDATE `markets` SET `rules_version` = 1;--> statement-breakpoint
CREATE TABLE `projections` (
	`shard` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT "projections_move" CHECK("projections"."seq" >= 0)
);
--> statement-breakpoint
CREATE TABLE `balances` (
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`available` integer DEFAULT 0 NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`boundary` integer DEFAULT 0 NOT NULL,
	`cost` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account`, `asset`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `lots` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`quantity` integer NOT NULL,
	`reserved` integer DEFAULT 0 NOT NULL,
	`cost` integer NOT NULL,
	`acquired_at` integer NOT NULL,
	`restriction_ends_at` integer,
	`offering_type` text
);
--> statement-breakpoint
CREATE INDEX `lots_fifo` ON `lots` (`account`,`asset`,`acquired_at`,`id`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`owner` text NOT NULL,
	`key_id` text,
	`book` text,
	`asset_id` text NOT NULL,
	`open` integer NOT NULL,
	`status` text NOT NULL,
	`side` text NOT NULL,
	`type` text NOT NULL,
	`time_in_force` text NOT NULL,
	`quantity` integer NOT NULL,
	`price` integer,
	`stop_price` integer,
	`expires_at` integer,
	`client_order_id` text,
	`filled` integer DEFAULT 0 NOT NULL,
	`filled_notional` integer DEFAULT 0 NOT NULL,
	`fee` integer DEFAULT 0 NOT NULL,
	`reserve_asset` text NOT NULL,
	`reserve` integer DEFAULT 0 NOT NULL,
	`allowance_asset` text,
	`allowance` integer DEFAULT 0 NOT NULL,
	`position_asset` text,
	`position` integer DEFAULT 0 NOT NULL,
	`restricted` integer DEFAULT 0 NOT NULL,
	`pre_ipo` integer DEFAULT 0 NOT NULL,
	`code` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`executed_at` integer,
	`cancelled_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`account`,`open`,`id`);--> statement-breakpoint
CREATE INDEX `orders_client_order_id` ON `orders` (`account`,`client_order_id`) WHERE "orders"."client_order_id" is not null;--> statement-breakpoint
CREATE TABLE `ledger_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`amount` integer NOT NULL,
	`boundary` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
-- Internally matched trades settle immediately (X-STL-03).
CREATE VIEW `settlements` AS
  SELECT id AS trade_id, 'SETTLED' AS status, executed_at AS settles_at FROM trades;
--> statement-breakpoint
-- The legs of every trade: cash, shares and fees; what its orders draw on allowances and position limits; and those of everything else.
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
    CASE WHEN l.column1 IN (6, 7) THEN o.allowance_asset ELSE o.position_asset END,
    CASE l.column1 WHEN 6 THEN -t.notional WHEN 7 THEN t.notional WHEN 8 THEN -t.quantity ELSE t.quantity END
  FROM trades t JOIN orders o ON o.id = t.buy_order CROSS JOIN (VALUES (6), (7), (8), (9)) l
  WHERE CASE WHEN l.column1 IN (6, 7) THEN o.allowance_asset ELSE o.position_asset END IS NOT NULL
  UNION ALL
  SELECT t.id, l.column1,
    CASE l.column1 WHEN 10 THEN t.seller ELSE 'boundary:limits' END,
    o.position_asset,
    CASE l.column1 WHEN 10 THEN t.quantity ELSE -t.quantity END
  FROM trades t JOIN orders o ON o.id = t.sell_order AND o.position_asset IS NOT NULL CROSS JOIN (VALUES (10), (11)) l
  UNION ALL
  SELECT e.id, l.column1,
    CASE l.column1 WHEN 1 THEN e.account ELSE e.boundary END,
    e.asset,
    CASE l.column1 WHEN 1 THEN e.amount ELSE -e.amount END
  FROM ledger_transactions e CROSS JOIN (VALUES (1), (2)) l;
