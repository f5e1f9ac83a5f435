CREATE TABLE `partner_organizations` (
	`organization` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`firm_name` text NOT NULL,
	`crd_number` text,
	`sec_registration_number` text,
	`contact_email` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`verification_provider` text,
	`verification_reference` text,
	`checked_at` integer,
	`verified_at` integer,
	`verification_expires_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `partner_organizations_state` ON `partner_organizations` (`state`,`organization`);--> statement-breakpoint
CREATE INDEX `partner_organizations_checks` ON `partner_organizations` (`checked_at`) WHERE "partner_organizations"."role" = 'transfer_agent' AND "partner_organizations"."state" in ('applied', 'active');--> statement-breakpoint
CREATE TABLE `securities` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`halted_by` text,
	`asset_name` text NOT NULL,
	`asset_type` text NOT NULL,
	`security_class` text NOT NULL,
	`share_class` text NOT NULL,
	`issuer_id` text NOT NULL,
	`issuer_name` text NOT NULL,
	`issuer_type` text NOT NULL,
	`cusip` text,
	`isin` text,
	`currency` text NOT NULL,
	`last_valuation_price` integer NOT NULL,
	`last_valuation_date` text NOT NULL,
	`restrictions` text NOT NULL,
	`agent_restrictions` text,
	`transfer_agent` text,
	`agent_state` text,
	`agent_reason` text,
	`symbol` text,
	`market` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `partner_organizations`(`organization`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transfer_agent`) REFERENCES `partner_organizations`(`organization`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `securities_organization` ON `securities` (`organization`,`id`);--> statement-breakpoint
CREATE INDEX `securities_agent` ON `securities` (`transfer_agent`,`id`) WHERE "securities"."transfer_agent" is not null;--> statement-breakpoint
CREATE INDEX `securities_state` ON `securities` (`state`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `securities_market` ON `securities` (`market`) WHERE "securities"."market" is not null;