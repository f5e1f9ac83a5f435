CREATE TABLE `listing_allotments` (
	`event` text NOT NULL,
	`position` integer NOT NULL,
	`order_id` text NOT NULL,
	`account` text NOT NULL,
	`quantity` integer NOT NULL,
	`price` integer NOT NULL,
	`allotted` integer NOT NULL,
	`outcome` text NOT NULL,
	`rule` text,
	`code` text,
	PRIMARY KEY(`event`, `position`)
);
--> statement-breakpoint
CREATE INDEX `listing_allotments_pending` ON `listing_allotments` (`event`,`position`) WHERE "listing_allotments"."outcome" = 'pending';--> statement-breakpoint
CREATE TABLE `listing_events` (
	`id` text PRIMARY KEY NOT NULL,
	`asset` text NOT NULL,
	`book` text NOT NULL,
	`state` text NOT NULL,
	`price` integer NOT NULL,
	`shares_offered` integer NOT NULL,
	`lot_size` integer NOT NULL,
	`allocation` text NOT NULL,
	`lockup_months` integer NOT NULL,
	`restriction_ends_at` integer,
	`offering_type` text,
	`issuer_account` text NOT NULL,
	`opens_market` integer NOT NULL,
	`offer_id` text NOT NULL,
	`code` text,
	`actor` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listing_events_open` ON `listing_events` (`asset`) WHERE "listing_events"."state" not in ('done', 'refused');--> statement-breakpoint
CREATE INDEX `listing_events_asset` ON `listing_events` (`asset`,`id`);--> statement-breakpoint
ALTER TABLE `assets` ADD `issuer_account` text;