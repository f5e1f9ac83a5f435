ALTER TABLE `bridge_organizations` ADD `next` text;--> statement-breakpoint
ALTER TABLE `bridge_organizations` ADD `next_from` integer;--> statement-breakpoint
ALTER TABLE `bridge_vaults` ADD `next` text;--> statement-breakpoint
ALTER TABLE `bridge_vaults` ADD `next_from` integer;