CREATE TABLE `bridge_signer_faults` (
	`transfer` text NOT NULL,
	`signer` integer NOT NULL,
	`reason` text NOT NULL,
	`organization` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`transfer`, `signer`, `reason`)
);
--> statement-breakpoint
CREATE INDEX `bridge_signer_faults_organization` ON `bridge_signer_faults` (`organization`,`signer`,`at`);--> statement-breakpoint
ALTER TABLE `bridge_organizations` ADD `min_stake` text DEFAULT '0' NOT NULL;