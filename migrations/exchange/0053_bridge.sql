CREATE TABLE `bridge_clusters` (
	`organization` text NOT NULL,
	`scheme` text NOT NULL,
	`generation` integer NOT NULL,
	`group_key` text NOT NULL,
	`signer_keys` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization`, `scheme`),
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bridge_organizations` (
	`organization` text PRIMARY KEY NOT NULL,
	`guard` text NOT NULL,
	`stake` text NOT NULL,
	`fee_bps` integer DEFAULT 0 NOT NULL,
	`co_sign_from` text NOT NULL,
	`quote_ms` integer NOT NULL,
	`queue_ms` integer NOT NULL,
	`answer_ms` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bridge_tenants` (
	`hostname` text PRIMARY KEY NOT NULL,
	`organization` text NOT NULL,
	`name` text NOT NULL,
	`signing_mode` text NOT NULL,
	`chains` text NOT NULL,
	`branding` text NOT NULL,
	`logo_object` text,
	`is_enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bridge_tenants_organization` ON `bridge_tenants` (`organization`);--> statement-breakpoint
CREATE TABLE `bridge_transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` text NOT NULL,
	`hostname` text NOT NULL,
	`commitment` text NOT NULL,
	`state` text NOT NULL,
	`changes` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bridge_transfers_commitment_unique` ON `bridge_transfers` (`commitment`);--> statement-breakpoint
CREATE INDEX `bridge_transfers_organization` ON `bridge_transfers` (`organization`,`id`);--> statement-breakpoint
CREATE INDEX `bridge_transfers_state` ON `bridge_transfers` (`state`,`updated_at`);--> statement-breakpoint
CREATE TABLE `bridge_vaults` (
	`organization` text NOT NULL,
	`origin` text NOT NULL,
	`chain` text NOT NULL,
	`asset` text NOT NULL,
	`place` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`organization`, `origin`, `asset`, `chain`),
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
