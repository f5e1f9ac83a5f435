CREATE TABLE `mail_address_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address_sealed` text NOT NULL,
	`language` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`code_tries` integer DEFAULT 0 NOT NULL,
	`browser` text NOT NULL,
	`method` text NOT NULL,
	`signed_in_at` integer NOT NULL,
	`state` text DEFAULT 'asked' NOT NULL,
	`asked_at` integer NOT NULL,
	`due_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_address_changes_open` ON `mail_address_changes` (`user_id`) WHERE state IN ('asked', 'waiting');--> statement-breakpoint
CREATE INDEX `mail_address_changes_user` ON `mail_address_changes` (`user_id`,`asked_at`);--> statement-breakpoint
CREATE INDEX `mail_address_changes_due` ON `mail_address_changes` (`due_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `mail_address_changes_asked` ON `mail_address_changes` (`asked_at`);