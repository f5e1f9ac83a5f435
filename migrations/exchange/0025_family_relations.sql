CREATE TABLE `family_relations` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`relative` text NOT NULL,
	`relationship` text NOT NULL,
	`evidence` text NOT NULL,
	`recorded_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`ended_by` text,
	`ended_reason` text
);
--> statement-breakpoint
CREATE INDEX `family_relations_account` ON `family_relations` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `family_relations_relative` ON `family_relations` (`relative`,`id`);