CREATE TABLE `transfer_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`type` text NOT NULL,
	`asset` text NOT NULL,
	`amount` integer NOT NULL,
	`state` text NOT NULL,
	`reference` text,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `transfer_requests_account` ON `transfer_requests` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `transfer_requests_state` ON `transfer_requests` (`state`,`id`);--> statement-breakpoint
ALTER TABLE `assets` ADD `image_object` text;--> statement-breakpoint
ALTER TABLE `oauth_clients` ADD `revoked_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `deactivated_at` integer;
