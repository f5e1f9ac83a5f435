ALTER TABLE `corporate_actions` ADD `held_reason` text;--> statement-breakpoint
ALTER TABLE `corporate_actions` ADD `asked_part` integer;--> statement-breakpoint
ALTER TABLE `corporate_actions` ADD `moving_at` integer;--> statement-breakpoint
ALTER TABLE `corporate_actions` ADD `consented_at` integer;--> statement-breakpoint
ALTER TABLE `corporate_actions` ADD `survivor_consented_at` integer;--> statement-breakpoint
CREATE INDEX `corporate_actions_returning` ON `corporate_actions` (`tried_at`) WHERE "corporate_actions"."state" = 'returning';--> statement-breakpoint
CREATE TABLE `corporate_action_notice` (
	`id` integer PRIMARY KEY NOT NULL,
	`shares_ms` integer NOT NULL,
	`other_ms` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `securities` ADD `delisted_by` text;--> statement-breakpoint
ALTER TABLE `register_events` ADD `agent` text;--> statement-breakpoint
ALTER TABLE `register_events` ADD `line_count` integer;--> statement-breakpoint
ALTER TABLE `register_events` ADD `attempt` integer DEFAULT 1 NOT NULL;
