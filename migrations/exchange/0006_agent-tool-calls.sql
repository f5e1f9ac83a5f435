CREATE TABLE `agent_tool_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`transport` text NOT NULL,
	`tool` text NOT NULL,
	`parameters` text NOT NULL,
	`result_code` text NOT NULL,
	`called_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `agent_tool_calls_key` ON `agent_tool_calls` (`key_id`,`id`);--> statement-breakpoint
CREATE TABLE `key_order_notionals` (
	`order_id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`notional` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `key_order_notionals_day` ON `key_order_notionals` (`key_id`,`day`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `order_size_limits` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `daily_notional_max` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `symbols` text;--> statement-breakpoint
-- The log of tool calls is append-only.
CREATE TRIGGER agent_tool_calls_no_update BEFORE UPDATE ON agent_tool_calls
BEGIN
  SELECT RAISE(ABORT, 'agent_tool_calls is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER agent_tool_calls_no_delete BEFORE DELETE ON agent_tool_calls
BEGIN
  SELECT RAISE(ABORT, 'agent_tool_calls is append-only');
END;
