DROP INDEX `partner_organizations_checks`;--> statement-breakpoint
ALTER TABLE `partner_organizations` ADD `check_id` text;--> statement-breakpoint
ALTER TABLE `partner_organizations` ADD `applied_from` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `partner_organizations_address` ON `partner_organizations` (`applied_from`,`created_at`);--> statement-breakpoint
CREATE INDEX `partner_organizations_checks` ON `partner_organizations` (`checked_at`) WHERE "partner_organizations"."check_id" is not null;