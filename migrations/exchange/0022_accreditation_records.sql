CREATE TABLE `accreditation_records` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`verifier` text,
	`evidence` text,
	`text_version` text,
	`text` text,
	`at` integer NOT NULL,
	`expires_at` integer,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`ended_by` text,
	`ended_reason` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `accreditation_records_account` ON `accreditation_records` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `accreditation_records_expiry` ON `accreditation_records` (`expires_at`) WHERE "accreditation_records"."expires_at" is not null;