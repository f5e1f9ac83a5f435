CREATE TABLE `factor_recoveries` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`asked_by` text NOT NULL,
	`reason` text NOT NULL,
	`asked_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `factor_recoveries_waiting` ON `factor_recoveries` (`user_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `factor_recoveries_due` ON `factor_recoveries` (`due_at`) WHERE state = 'waiting';