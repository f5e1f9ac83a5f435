ALTER TABLE `corporate_actions` ADD `archived_at` integer;--> statement-breakpoint
CREATE INDEX `corporate_actions_archive` ON `corporate_actions` (`ended_at`) WHERE "corporate_actions"."type" = 'dividend' and "corporate_actions"."state" in ('completed', 'reversed') and "corporate_actions"."archived_at" is null;--> statement-breakpoint
CREATE TABLE `archived_payments` (
	`action` text NOT NULL,
	`first_payee` text NOT NULL,
	`last_payee` text NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`payments` integer NOT NULL,
	`states` text NOT NULL,
	`paid` text NOT NULL,
	PRIMARY KEY(`action`, `last_payee`),
	FOREIGN KEY (`action`) REFERENCES `corporate_actions`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archived_payment_sums` (
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`account`, `asset`)
) WITHOUT ROWID;
