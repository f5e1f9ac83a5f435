ALTER TABLE `books` ADD `together` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `books` ADD `admitted_together` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP TRIGGER orders_admission_guard;
--> statement-breakpoint
DROP TRIGGER orders_take_hold;
--> statement-breakpoint
DROP TRIGGER orders_take_allowance;
--> statement-breakpoint
DROP TRIGGER orders_take_position;
--> statement-breakpoint
-- What is inserted here is admitted to orders and takes its holds, or is ignored, row by row, so that orders of one account in one batch
-- see each other. The compliance facts that it was checked under are asserted in the same statement. Triggers on orders
-- itself would cost the orders that a batch admits together, too.
CREATE VIEW order_admissions AS
  SELECT id, account, owner, key_id, side, type, time_in_force, quantity, price, stop_price, expires_at, client_order_id, status,
    reserve_asset, reserve, allowance_asset, allowance, position_asset, position, facts_version, rules_version, created_at, updated_at,
    book, asset_id, admit_batch
  FROM orders WHERE open = 1;
--> statement-breakpoint
CREATE TRIGGER order_admissions_hold INSTEAD OF INSERT ON order_admissions
BEGIN
  SELECT RAISE(IGNORE) WHERE
    NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.reserve_asset AND b.available >= NEW.reserve)
    OR (NEW.allowance > 0 AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.allowance_asset AND b.available >= NEW.allowance))
    OR (NEW.position > 0 AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.position_asset AND b.available >= NEW.position))
    OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = NEW.account AND a.facts_version = NEW.facts_version AND a.frozen = 0)
    OR NOT EXISTS (SELECT 1 FROM markets m WHERE m.symbol = NEW.book AND m.rules_version = NEW.rules_version AND m.status = 'open')
    OR EXISTS (SELECT 1 FROM venue v WHERE v.halted = 1)
    OR (NEW.key_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.id = NEW.key_id AND k.status = 'active'))
    OR EXISTS (SELECT 1 FROM orders o WHERE o.id = NEW.id)
    OR (NEW.client_order_id IS NOT NULL
      AND EXISTS (SELECT 1 FROM orders o WHERE o.account = NEW.account AND o.client_order_id = NEW.client_order_id));
  INSERT INTO orders (id, account, owner, key_id, side, type, time_in_force, quantity, price, stop_price, expires_at, client_order_id,
      status, reserve_asset, reserve, allowance_asset, allowance, position_asset, position, facts_version, rules_version, created_at,
      updated_at, book, asset_id, admit_batch, open)
    VALUES (NEW.id, NEW.account, NEW.owner, NEW.key_id, NEW.side, NEW.type, NEW.time_in_force, NEW.quantity, NEW.price, NEW.stop_price,
      NEW.expires_at, NEW.client_order_id, NEW.status, NEW.reserve_asset, NEW.reserve, NEW.allowance_asset, NEW.allowance,
      NEW.position_asset, NEW.position, NEW.facts_version, NEW.rules_version, NEW.created_at, NEW.updated_at, NEW.book, NEW.asset_id,
      NEW.admit_batch, 1);
  UPDATE balances SET available = available - NEW.reserve, held = held + NEW.reserve
    WHERE account = NEW.account AND asset = NEW.reserve_asset;
  UPDATE balances SET available = available - NEW.allowance, held = held + NEW.allowance
    WHERE NEW.allowance > 0 AND account = NEW.account AND asset = NEW.allowance_asset;
  UPDATE balances SET available = available - NEW.position, held = held + NEW.position
    WHERE NEW.position > 0 AND account = NEW.account AND asset = NEW.position_asset;
END;
