CREATE TABLE `tenant_usage` (
	`tenant` text NOT NULL,
	`resource` text NOT NULL,
	`window` text NOT NULL,
	`starts_at` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`tenant`, `resource`, `window`)
);
--> statement-breakpoint
ALTER TABLE `events` ADD `faces_without_review` integer DEFAULT 0 NOT NULL;
