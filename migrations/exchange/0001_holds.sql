-- An admitted row takes its holds or is ignored, row by row, so that orders of one account in one batch see each other.
-- The compliance facts that it was checked under are asserted in the same statement.
CREATE TRIGGER orders_admission_guard BEFORE INSERT ON orders WHEN NEW.open = 1
BEGIN
  SELECT RAISE(IGNORE) WHERE
    NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.reserve_asset AND b.available >= NEW.reserve)
    OR (NEW.allowance > 0 AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.allowance_asset AND b.available >= NEW.allowance))
    OR (NEW.position > 0 AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.position_asset AND b.available >= NEW.position))
    OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = NEW.account AND a.facts_version = NEW.facts_version AND a.frozen = 0)
    OR NOT EXISTS (SELECT 1 FROM markets m WHERE m.symbol = NEW.book AND m.rules_version = NEW.rules_version AND m.status = 'open')
    OR EXISTS (SELECT 1 FROM venue v WHERE v.halted = 1)
    OR (NEW.key_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.id = NEW.key_id AND k.status = 'active'));
END;
--> statement-breakpoint
CREATE TRIGGER orders_take_hold AFTER INSERT ON orders WHEN NEW.open = 1
BEGIN
  UPDATE balances SET available = available - NEW.reserve, held = held + NEW.reserve
    WHERE account = NEW.account AND asset = NEW.reserve_asset;
  UPDATE balances SET available = available - NEW.allowance, held = held + NEW.allowance
    WHERE NEW.allowance > 0 AND account = NEW.account AND asset = NEW.allowance_asset;
  UPDATE balances SET available = available - NEW.position, held = held + NEW.position
    WHERE NEW.position > 0 AND account = NEW.account AND asset = NEW.position_asset;
END;
--> statement-breakpoint
CREATE TRIGGER amendments_admission_guard BEFORE INSERT ON amendments WHEN NEW.open = 1
BEGIN
  SELECT RAISE(IGNORE) WHERE
    NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.reserve_asset AND b.available >= NEW.reserve)
    OR (NEW.allowance > 0 AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.allowance_asset AND b.available >= NEW.allowance))
    OR (NEW.position > 0 AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account = NEW.account AND b.asset = NEW.position_asset AND b.available >= NEW.position))
    OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = NEW.account AND a.facts_version = NEW.facts_version AND a.frozen = 0)
    OR NOT EXISTS (SELECT 1 FROM markets m WHERE m.symbol = NEW.book AND m.rules_version = NEW.rules_version AND m.status = 'open')
    OR EXISTS (SELECT 1 FROM venue v WHERE v.halted = 1);
END;
--> statement-breakpoint
CREATE TRIGGER amendments_take_hold AFTER INSERT ON amendments WHEN NEW.open = 1
BEGIN
  UPDATE balances SET available = available - NEW.reserve, held = held + NEW.reserve
    WHERE account = NEW.account AND asset = NEW.reserve_asset;
  UPDATE balances SET available = available - NEW.allowance, held = held + NEW.allowance
    WHERE NEW.allowance > 0 AND account = NEW.account AND asset = NEW.allowance_asset;
  UPDATE balances SET available = available - NEW.position, held = held + NEW.position
    WHERE NEW.position > 0 AND account = NEW.account AND asset = NEW.position_asset;
END;
--> statement-breakpoint
INSERT INTO venue (id, halted) VALUES (1, 0);
