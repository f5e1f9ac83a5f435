CREATE TABLE `surveillance_cases` (
	`id` text PRIMARY KEY NOT NULL,
	`rule` text NOT NULL,
	`subject` text NOT NULL,
	`market` text NOT NULL,
	`asset` text NOT NULL,
	`day` text NOT NULL,
	`people` text NOT NULL,
	`accounts` text NOT NULL,
	`evidence` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`assignee` text,
	`outcome` text,
	`close_reason` text,
	`closed_by` text,
	`closed_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `surveillance_cases_finding` ON `surveillance_cases` (`day`,`market`,`rule`,`subject`);--> statement-breakpoint
CREATE INDEX `surveillance_cases_state` ON `surveillance_cases` (`state`,`id`);--> statement-breakpoint
CREATE TABLE `surveillance_days` (
	`day` text PRIMARY KEY NOT NULL,
	`visited` text DEFAULT '' NOT NULL,
	`markets` integer DEFAULT 0 NOT NULL,
	`cases` integer DEFAULT 0 NOT NULL,
	`cases_left_out` integer DEFAULT 0 NOT NULL,
	`trades_left_out` integer DEFAULT 0 NOT NULL,
	`accounts_left_out` integer DEFAULT 0 NOT NULL,
	`began_at` integer NOT NULL,
	`done_at` integer,
	CONSTRAINT "surveillance_days_markets" CHECK("surveillance_days"."markets" >= 0)
);
--> statement-breakpoint
CREATE TABLE `surveillance_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`author` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `surveillance_cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `surveillance_notes_case` ON `surveillance_notes` (`case_id`,`id`);