CREATE TABLE `register_consents` (
	`account` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
