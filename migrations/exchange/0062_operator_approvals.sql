ALTER TABLE `organizations` ADD `two_operators_since` integer;--> statement-breakpoint
CREATE TABLE `operator_approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`call` text NOT NULL,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`asked_by` text NOT NULL,
	`people` text NOT NULL,
	`asked_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`state` text NOT NULL,
	`used_by` text,
	CONSTRAINT "operator_approvals_state" CHECK("operator_approvals"."state" in ('asked', 'approved', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `operator_approvals_expires_at` ON `operator_approvals` (`expires_at`);
