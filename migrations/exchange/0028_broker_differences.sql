CREATE TABLE `broker_differences` (
	`market` text NOT NULL,
	`kind` text NOT NULL,
	`order_id` text NOT NULL,
	`detail` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`market`, `kind`, `order_id`)
);
