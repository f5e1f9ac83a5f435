CREATE TABLE `accreditation_verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`owner` text NOT NULL,
	`evidence_kind` text NOT NULL,
	`provider` text NOT NULL,
	`reference` text,
	`state` text NOT NULL,
	`reason` text,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`asked_at` integer NOT NULL,
	`decided_at` integer,
	`expires_at` integer,
	`applied` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `accreditation_verifications_account` ON `accreditation_verifications` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `accreditation_verifications_waiting` ON `accreditation_verifications` (`asked_at`) WHERE "accreditation_verifications"."applied" = 0;--> statement-breakpoint
CREATE TABLE `order_refusals` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`owner` text NOT NULL,
	`user_id` text NOT NULL,
	`key_id` text,
	`action` text NOT NULL,
	`order_id` text NOT NULL,
	`asset` text,
	`book` text,
	`code` text NOT NULL,
	`rule` text NOT NULL,
	`facts` text NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_refusals_account` ON `order_refusals` (`account`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `order_refusals_asset` ON `order_refusals` (`asset`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `order_refusals_at` ON `order_refusals` (`at`);--> statement-breakpoint
CREATE TABLE `restricted_sales` (
	`lot` text PRIMARY KEY NOT NULL,
	`trade` text NOT NULL,
	`asset` text NOT NULL,
	`buy_order` text NOT NULL,
	`buyer` text NOT NULL,
	`quantity` integer NOT NULL,
	`restriction_ends_at` integer NOT NULL,
	`offering_type` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `restricted_sales_asset` ON `restricted_sales` (`asset`,`at`);--> statement-breakpoint
CREATE INDEX `restricted_sales_order` ON `restricted_sales` (`buy_order`);--> statement-breakpoint
CREATE TABLE `verification_events` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `verification_events_at` ON `verification_events` (`at`);--> statement-breakpoint
ALTER TABLE `accreditation_records` ADD `evidence_kind` text;