CREATE TABLE `dev_mails` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`headers` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dev_mails_id_unique` ON `dev_mails` (`id`);--> statement-breakpoint
CREATE TABLE `mail_addresses` (
	`user_id` text PRIMARY KEY NOT NULL,
	`address_sealed` text NOT NULL,
	`address_hash` text NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	`confirmed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_addresses_hash` ON `mail_addresses` (`address_hash`);--> statement-breakpoint
CREATE TABLE `mail_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`counted_for` text NOT NULL,
	`kind` text NOT NULL,
	`language` text NOT NULL,
	`content_sealed` text NOT NULL,
	`state` text DEFAULT 'queued' NOT NULL,
	`reason` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`good_until` integer NOT NULL,
	`sent_at` integer,
	CONSTRAINT "mail_messages_state" CHECK("mail_messages"."state" in ('queued', 'sending', 'sent', 'refused', 'dropped'))
);
--> statement-breakpoint
CREATE INDEX `mail_messages_counted` ON `mail_messages` (`counted_for`,`created_at`);--> statement-breakpoint
CREATE INDEX `mail_messages_due` ON `mail_messages` (`due_at`) WHERE state IN ('queued', 'sending');--> statement-breakpoint
CREATE INDEX `mail_messages_created` ON `mail_messages` (`created_at`);--> statement-breakpoint
CREATE TABLE `mail_preferences` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`is_on` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`)
);
