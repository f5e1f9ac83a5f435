CREATE TABLE `register_row_counts` (
	`scope` text NOT NULL,
	`day` integer NOT NULL,
	`lines` integer DEFAULT 0 NOT NULL,
	`payments` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`scope`, `day`)
);
--> statement-breakpoint
CREATE TABLE `database_size` (
	`id` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`seen_at` integer NOT NULL
);
