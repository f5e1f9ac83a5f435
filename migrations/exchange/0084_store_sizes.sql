ALTER TABLE `database_size` ADD `stop_bytes` integer;--> statement-breakpoint
CREATE TABLE `store_sizes` (
	`store` text NOT NULL,
	`day` text NOT NULL,
	`bytes` integer NOT NULL,
	`bytes_max` integer NOT NULL,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`store`, `day`)
) WITHOUT ROWID;
