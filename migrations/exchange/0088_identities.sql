CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`account` text NOT NULL,
	`owner` text NOT NULL,
	`state` text NOT NULL,
	`facts` text NOT NULL,
	`attested` text NOT NULL,
	`version` integer NOT NULL,
	`submission` text,
	`submitted_at` integer,
	`provider` text,
	`reference` text,
	`asked_at` integer DEFAULT 0 NOT NULL,
	`sanctions` text DEFAULT 'unchecked' NOT NULL,
	`adverse_media` text DEFAULT 'unchecked' NOT NULL,
	`checked_at` integer,
	`expires_at` integer,
	`decided_at` integer,
	`decided_by` text,
	`reason` text,
	`change_id` text,
	`applied` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`shredded_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_userId_unique` ON `identities` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_submission` ON `identities` (`submission`);--> statement-breakpoint
CREATE INDEX `identities_waiting` ON `identities` (`asked_at`) WHERE "identities"."state" = 'SUBMITTED' OR "identities"."applied" = 0;--> statement-breakpoint
CREATE INDEX `identities_state` ON `identities` (`state`,`id`);--> statement-breakpoint
CREATE INDEX `identities_account` ON `identities` (`account`);--> statement-breakpoint
CREATE TABLE `identity_documents` (
	`id` text PRIMARY KEY NOT NULL,
	`identity` text NOT NULL,
	`kind` text NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`object` text NOT NULL,
	`created_at` integer NOT NULL,
	`stored_at` integer
);
--> statement-breakpoint
CREATE INDEX `identity_documents_identity` ON `identity_documents` (`identity`,`id`);--> statement-breakpoint
CREATE INDEX `identity_documents_unstored` ON `identity_documents` (`created_at`) WHERE "identity_documents"."stored_at" IS NULL;