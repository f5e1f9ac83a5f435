CREATE TABLE `accreditation_ends` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`reason` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`lifted_at` integer,
	`lifted_by` text,
	`applied` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `accreditation_ends_account` ON `accreditation_ends` (`account`) WHERE "accreditation_ends"."lifted_at" is null;--> statement-breakpoint
CREATE INDEX `accreditation_ends_waiting` ON `accreditation_ends` (`created_at`) WHERE "accreditation_ends"."applied" = 0;--> statement-breakpoint
ALTER TABLE `accreditation_records` ADD `verification` text;--> statement-breakpoint
ALTER TABLE `accreditation_verifications` ADD `allowed_at` integer;--> statement-breakpoint
ALTER TABLE `accreditation_verifications` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `accreditation_verifications` ADD `ended_by` text;--> statement-breakpoint
ALTER TABLE `accreditation_verifications` ADD `change_id` text;--> statement-breakpoint
CREATE INDEX `accreditation_verifications_review` ON `accreditation_verifications` (`id`) WHERE "accreditation_verifications"."state" = 'IN_REVIEW';