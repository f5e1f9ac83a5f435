CREATE TABLE `one_time_code_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`asked_at` integer DEFAULT 0 NOT NULL,
	`signed_in_at` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`tries_since` integer DEFAULT 0 NOT NULL,
	`sent_at` integer DEFAULT 0 NOT NULL,
	`sends` integer DEFAULT 0 NOT NULL,
	`sends_since` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `code_sealed` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `earlier_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `earlier_expires_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `askers_tries_left` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `tries_since` integer DEFAULT 0 NOT NULL;