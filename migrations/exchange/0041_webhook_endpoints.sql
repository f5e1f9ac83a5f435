CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`description` text,
	`disabled_reason` text,
	`disabled_at` integer,
	`secret` text NOT NULL,
	`former_secret` text,
	`former_secret_ends_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_organization` ON `webhook_endpoints` (`organization`,`id`);--> statement-breakpoint
CREATE INDEX `domain_events_undispatched` ON `domain_events` (`dispatched_at`) WHERE "domain_events"."dispatched_at" is null;