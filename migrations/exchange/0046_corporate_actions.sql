CREATE TABLE `corporate_action_payments` (
	`action` text NOT NULL,
	`payee` text NOT NULL,
	`account` text,
	`shares` integer NOT NULL,
	`amount` integer,
	`state` text NOT NULL,
	`paid_at` integer,
	`returned_at` integer,
	PRIMARY KEY(`action`, `payee`),
	FOREIGN KEY (`action`) REFERENCES `corporate_actions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `corporate_action_payments_state` ON `corporate_action_payments` (`action`,`state`,`payee`);--> statement-breakpoint
CREATE INDEX `corporate_action_payments_account` ON `corporate_action_payments` (`account`,`action`) WHERE "corporate_action_payments"."account" is not null;--> statement-breakpoint
CREATE TABLE `corporate_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`security` text NOT NULL,
	`agent` text NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`terms` text NOT NULL,
	`description` text NOT NULL,
	`record_date` text,
	`due_date` text NOT NULL,
	`record_at` integer,
	`due_at` integer NOT NULL,
	`waiting` text,
	`reason` text,
	`payment_account` text,
	`amount_max` integer,
	`total` integer,
	`external_total` integer,
	`attempt` integer DEFAULT 1 NOT NULL,
	`tried_at` integer DEFAULT 0 NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`recorded_at` integer,
	`funded_at` integer,
	`ended_at` integer,
	FOREIGN KEY (`security`) REFERENCES `securities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `corporate_actions_security` ON `corporate_actions` (`security`,`id`);--> statement-breakpoint
CREATE INDEX `corporate_actions_open` ON `corporate_actions` (`tried_at`) WHERE "corporate_actions"."state" in ('announced', 'recorded', 'funding', 'funded', 'reversing');