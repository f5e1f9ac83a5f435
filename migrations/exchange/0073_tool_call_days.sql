CREATE TABLE `agent_tool_call_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
);
--> statement-breakpoint
-- The log keeps each call for 29 days at least; the hourly job deletes those of more than 30.
DROP TRIGGER agent_tool_calls_no_delete;
--> statement-breakpoint
CREATE TRIGGER agent_tool_calls_no_delete BEFORE DELETE ON agent_tool_calls
WHEN OLD.called_at > (unixepoch() - 29 * 86400) * 1000
BEGIN
  SELECT RAISE(ABORT, 'agent_tool_calls is append-only');
END;
