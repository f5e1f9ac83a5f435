CREATE TABLE `prime_events` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`received_at` integer NOT NULL,
	`unclaimed` text,
	`body` text
);
--> statement-breakpoint
CREATE INDEX `prime_events_taken` ON `prime_events` (`received_at`) WHERE unclaimed IS NULL;--> statement-breakpoint
CREATE INDEX `prime_events_unclaimed` ON `prime_events` (`received_at`) WHERE unclaimed IS NOT NULL;--> statement-breakpoint
CREATE INDEX `markets_base_asset` ON `markets` (`base_asset`);