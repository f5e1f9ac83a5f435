CREATE TABLE `broker_breaks` (
	`book` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`order_id` text NOT NULL,
	`execution_id` text,
	`detail` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`book`, `id`)
);
--> statement-breakpoint
ALTER TABLE `markets` ADD `route` text DEFAULT 'internal' NOT NULL;