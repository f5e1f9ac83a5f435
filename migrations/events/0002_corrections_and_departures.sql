CREATE TABLE `departures` (
	`tenant` text PRIMARY KEY NOT NULL,
	`requested_by` text NOT NULL,
	`requested_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
ALTER TABLE `events` ADD `date_given` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `end_date_given` text;--> statement-breakpoint
ALTER TABLE `timeline` ADD `similarity` real;--> statement-breakpoint
ALTER TABLE `corrections` DROP COLUMN `reason`;