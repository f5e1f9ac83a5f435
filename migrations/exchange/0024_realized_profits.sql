CREATE TABLE `pending_asset_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`asset` text NOT NULL,
	`tried_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_asset_changes_asset` ON `pending_asset_changes` (`asset`);--> statement-breakpoint
CREATE INDEX `pending_asset_changes_tried` ON `pending_asset_changes` (`tried_at`);--> statement-breakpoint
CREATE TABLE `realized_profits` (
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`quote_asset` text NOT NULL,
	`profit` integer NOT NULL,
	PRIMARY KEY(`account`, `asset`, `quote_asset`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `unreferenced_images` (
	`object` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `trades` ADD `seller_cost` integer;--> statement-breakpoint
CREATE INDEX `trades_without_cost` ON `trades` (`seller`,`asset_id`) WHERE "trades"."seller_cost" is null;