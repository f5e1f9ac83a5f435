ALTER TABLE `one_time_codes` ADD `subject` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `one_time_code_addresses` ADD `subject` text DEFAULT '' NOT NULL;
