CREATE TABLE `identity_parties` (
	`submission` text NOT NULL,
	`party` text NOT NULL,
	`identity` text NOT NULL,
	`finding` text DEFAULT 'pending' NOT NULL,
	`sanctions` text DEFAULT 'unchecked' NOT NULL,
	`adverse_media` text DEFAULT 'unchecked' NOT NULL,
	`checked_at` integer,
	`expires_at` integer,
	`reason` text,
	PRIMARY KEY(`submission`, `party`)
);
--> statement-breakpoint
CREATE INDEX `identity_parties_identity` ON `identity_parties` (`identity`);--> statement-breakpoint
ALTER TABLE `identities` ADD `subject` text DEFAULT 'person' NOT NULL;--> statement-breakpoint
ALTER TABLE `identities` ADD `changes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `identities` ADD `changes_since` integer DEFAULT 0 NOT NULL;