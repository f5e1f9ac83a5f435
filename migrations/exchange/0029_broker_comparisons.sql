CREATE TABLE `broker_comparisons` (
	`market` text PRIMARY KEY NOT NULL,
	`compared_at` integer,
	`failing_since` integer,
	`tried_at` integer NOT NULL
);
