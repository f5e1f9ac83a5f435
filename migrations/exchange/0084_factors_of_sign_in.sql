CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `totp_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret_sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	`wrong_codes` integer DEFAULT 0 NOT NULL,
	`wrong_since` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `used_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_challenges_expires_at` ON `used_challenges` (`expires_at`);--> statement-breakpoint
ALTER TABLE `authorizations` ADD `method` text DEFAULT 'code' NOT NULL;--> statement-breakpoint
ALTER TABLE `browser_sessions` ADD `method` text DEFAULT 'code' NOT NULL;--> statement-breakpoint
ALTER TABLE `browser_sessions` ADD `device` text;--> statement-breakpoint
ALTER TABLE `browser_sessions` ADD `place` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `auth_time` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `method` text DEFAULT 'code' NOT NULL;