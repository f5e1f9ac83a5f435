CREATE TABLE `register_changes` (
	`event` text NOT NULL,
	`line` integer NOT NULL,
	`security` text NOT NULL,
	`holder` text NOT NULL,
	`shares` integer NOT NULL,
	`cost` integer DEFAULT 0 NOT NULL,
	`acquired_at` integer,
	`restriction_ends_at` integer,
	`offering_type` text,
	`certificate` text,
	`legend` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`event`, `line`)
);
--> statement-breakpoint
CREATE INDEX `register_changes_holder` ON `register_changes` (`holder`,`event`);--> statement-breakpoint
CREATE UNIQUE INDEX `register_changes_certificate` ON `register_changes` (`security`,`certificate`) WHERE "register_changes"."certificate" is not null;--> statement-breakpoint
CREATE TABLE `register_events` (
	`id` text PRIMARY KEY NOT NULL,
	`security` text NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`sequence` integer,
	`hash` text NOT NULL,
	`record_date` text,
	`notes` text,
	`refusal` text,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`recorded_at` integer,
	FOREIGN KEY (`security`) REFERENCES `securities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `register_events_sequence` ON `register_events` (`security`,`sequence`) WHERE "register_events"."sequence" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `register_events_announced` ON `register_events` (`security`) WHERE "register_events"."state" = 'announced';--> statement-breakpoint
CREATE INDEX `register_events_open` ON `register_events` (`created_at`) WHERE "register_events"."state" in ('staged', 'announced');--> statement-breakpoint
CREATE TABLE `register_holders` (
	`id` text PRIMARY KEY NOT NULL,
	`security` text NOT NULL,
	`account` text,
	`reference` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`country` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`security`) REFERENCES `securities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `register_holders_reference` ON `register_holders` (`security`,`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `register_holders_account` ON `register_holders` (`security`,`account`) WHERE "register_holders"."account" is not null;--> statement-breakpoint
CREATE TABLE `register_holdings` (
	`security` text NOT NULL,
	`holder` text NOT NULL,
	`shares` integer NOT NULL,
	PRIMARY KEY(`security`, `holder`),
	CONSTRAINT "register_holdings_whole" CHECK("register_holdings"."shares" >= 0)
);
--> statement-breakpoint
CREATE TABLE `transfer_instructions` (
	`id` text PRIMARY KEY NOT NULL,
	`security` text NOT NULL,
	`agent` text NOT NULL,
	`trade_sequence` integer NOT NULL,
	`buyer` text NOT NULL,
	`seller` text NOT NULL,
	`units` integer NOT NULL,
	`state` text NOT NULL,
	`record_date` text,
	`notes` text,
	`reason` text,
	`certificate` text,
	`legend_applied` integer,
	`cap_table_updated_at` text,
	`actor` text,
	`acknowledged_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`security`) REFERENCES `securities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transfer_instructions_trade` ON `transfer_instructions` (`security`,`trade_sequence`);--> statement-breakpoint
CREATE INDEX `transfer_instructions_agent` ON `transfer_instructions` (`agent`,`id`);--> statement-breakpoint
CREATE INDEX `transfer_instructions_open` ON `transfer_instructions` (`security`) WHERE "transfer_instructions"."state" in ('pending', 'acknowledged', 'rejecting');--> statement-breakpoint
-- The other side of what issuers have outstanding, and what registered holders without an account have (domain/ledger/boundary-accounts.ts).
INSERT INTO accounts (id, owner, boundary, created_at) VALUES
  ('boundary:issuance', 'venue', 1, 0),
  ('boundary:register', 'venue', 1, 0)
ON CONFLICT DO NOTHING;
