CREATE TABLE `authorizations` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`family` text NOT NULL,
	`consent_id` text NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`challenge` text NOT NULL,
	`nonce` text,
	`scope` text NOT NULL,
	`resource` text NOT NULL,
	`audience` text NOT NULL,
	`key_id` text,
	`auth_time` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`kept_until` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `authorizations_family` ON `authorizations` (`family`);--> statement-breakpoint
CREATE INDEX `authorizations_consent` ON `authorizations` (`consent_id`);--> statement-breakpoint
CREATE INDEX `authorizations_user` ON `authorizations` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `authorizations_kept` ON `authorizations` (`kept_until`);--> statement-breakpoint
CREATE TABLE `browser_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `browser_sessions_user` ON `browser_sessions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `consents` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`resource` text NOT NULL,
	`scope` text NOT NULL,
	`key_id` text,
	`agreed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `consents_user` ON `consents` (`user_id`,`client_id`,`resource`);--> statement-breakpoint
CREATE TABLE `registered_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registered_clients_address` ON `registered_clients` (`address`,`created_at`);--> statement-breakpoint
CREATE INDEX `registered_clients_expires` ON `registered_clients` (`expires_at`);--> statement-breakpoint
ALTER TABLE `oauth_clients` ADD `redirect_uris` text DEFAULT '[]' NOT NULL;