ALTER TABLE `surveillance_days` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `surveillance_days` ADD `markets_left_out` text DEFAULT '[]' NOT NULL;