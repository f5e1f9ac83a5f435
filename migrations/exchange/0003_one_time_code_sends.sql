ALTER TABLE `one_time_codes` ADD `sends` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `sends_since` integer DEFAULT 0 NOT NULL;