CREATE TABLE `ended_applications` (
	`client_id` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`ended_by` text NOT NULL,
	`ended_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `ended_applications_unfinished` ON `ended_applications` (`ended_at`) WHERE "ended_applications"."finished_at" IS NULL;--> statement-breakpoint
CREATE INDEX `consents_client` ON `consents` (`client_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `markets_halted` ON `markets` (`halted_until`);--> statement-breakpoint
CREATE INDEX `identities_expires` ON `identities` (`expires_at`) WHERE "identities"."state" = 'APPROVED';--> statement-breakpoint
CREATE INDEX `transfer_instructions_waiting` ON `transfer_instructions` (`created_at`) WHERE "transfer_instructions"."state" in ('pending', 'acknowledged');