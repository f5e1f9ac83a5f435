CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`device` text,
	`place` text,
	`begun_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_ends_at` ON `sessions` (`ends_at`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`reason` text,
	`client_id` text,
	`key_id` text,
	`session_id` text,
	`device` text,
	`place` text,
	`times` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_ins_user` ON `sign_ins` (`user_id`,`id`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `used_on` integer;--> statement-breakpoint
CREATE INDEX `api_keys_expires_at` ON `api_keys` (`expires_at`) WHERE status = 'active' AND expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_created_at` ON `api_keys` (`created_at`) WHERE status = 'active';--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `wrong_codes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `wrong_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `wrong_untold` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `sessions` (`id`, `user_id`, `client_id`, `begun_at`, `last_used_at`, `ends_at`)
SELECT `family`, `user_id`, `client_id`, min(`expires_at`) - 2592000000, max(`expires_at`) - 2592000000, max(`expires_at`)
FROM `refresh_tokens` GROUP BY `family` HAVING max(`revoked_at`) IS NULL;
