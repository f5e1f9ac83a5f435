ALTER TABLE `bridge_transfers` ADD `terms` text;--> statement-breakpoint
ALTER TABLE `bridge_transfers` ADD `asset` text GENERATED ALWAYS AS (json_extract(terms, '$.asset')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `bridge_transfers` ADD `account` text GENERATED ALWAYS AS (coalesce(json_extract(terms, '$.source.account'), json_extract(terms, '$.destination.account'))) VIRTUAL;--> statement-breakpoint
CREATE INDEX `bridge_transfers_organization_state` ON `bridge_transfers` (`organization`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `bridge_transfers_organization_asset` ON `bridge_transfers` (`organization`,`asset`,`id`);--> statement-breakpoint
CREATE INDEX `bridge_transfers_organization_account` ON `bridge_transfers` (`organization`,`account`,`id`);