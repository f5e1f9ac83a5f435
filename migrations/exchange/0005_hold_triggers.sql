-- Allowances and position limits are rare: a trigger of their own keeps them off the path of the orders that have none.
DROP TRIGGER orders_take_hold;
--> statement-breakpoint
CREATE TRIGGER orders_take_hold AFTER INSERT ON orders WHEN NEW.open = 1
BEGIN
  UPDATE balances SET available = available - NEW.reserve, held = held + NEW.reserve
    WHERE account = NEW.account AND asset = NEW.reserve_asset;
END;
--> statement-breakpoint
CREATE TRIGGER orders_take_allowance AFTER INSERT ON orders WHEN NEW.open = 1 AND NEW.allowance > 0
BEGIN
  UPDATE balances SET available = available - NEW.allowance, held = held + NEW.allowance
    WHERE account = NEW.account AND asset = NEW.allowance_asset;
END;
--> statement-breakpoint
CREATE TRIGGER orders_take_position AFTER INSERT ON orders WHEN NEW.open = 1 AND NEW.position > 0
BEGIN
  UPDATE balances SET available = available - NEW.position, held = held + NEW.position
    WHERE account = NEW.account AND asset = NEW.position_asset;
END;
--> statement-breakpoint
DROP TRIGGER amendments_take_hold;
--> statement-breakpoint
CREATE TRIGGER amendments_take_hold AFTER INSERT ON amendments WHEN NEW.open = 1
BEGIN
  UPDATE balances SET available = available - NEW.reserve, held = held + NEW.reserve
    WHERE account = NEW.account AND asset = NEW.reserve_asset;
END;
--> statement-breakpoint
CREATE TRIGGER amendments_take_allowance AFTER INSERT ON amendments WHEN NEW.open = 1 AND NEW.allowance > 0
BEGIN
  UPDATE balances SET available = available - NEW.allowance, held = held + NEW.allowance
    WHERE account = NEW.account AND asset = NEW.allowance_asset;
END;
--> statement-breakpoint
CREATE TRIGGER amendments_take_position AFTER INSERT ON amendments WHEN NEW.open = 1 AND NEW.position > 0
BEGIN
  UPDATE balances SET available = available - NEW.position, held = held + NEW.position
    WHERE account = NEW.account AND asset = NEW.position_asset;
END;
