ALTER TABLE `users` ADD `service` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `oauth_clients` ADD `waiting_since` integer;--> statement-breakpoint
ALTER TABLE `oauth_clients` ADD `agreed_at` integer;--> statement-breakpoint
CREATE INDEX `oauth_clients_user` ON `oauth_clients` (`user_id`);--> statement-breakpoint
CREATE TABLE `shown_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`client` text NOT NULL,
	`shown_to` text NOT NULL,
	`shown_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `shown_secrets_client` ON `shown_secrets` (`client`);--> statement-breakpoint
CREATE INDEX `shown_secrets_shown_to` ON `shown_secrets` (`shown_to`);
