CREATE TABLE `booked_executions` (
	`id` text PRIMARY KEY NOT NULL,
	`book` text NOT NULL,
	`break_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`account` text NOT NULL,
	`side` text NOT NULL,
	`asset_id` text NOT NULL,
	`quote_asset` text NOT NULL,
	`price` integer NOT NULL,
	`quantity` integer NOT NULL,
	`notional` integer NOT NULL,
	`seller_cost` integer,
	`rate_version` integer,
	`executed_at` integer NOT NULL,
	`settles_on` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `booked_executions_account` ON `booked_executions` (`account`,`created_at`);--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `side` text;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `price` integer;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `quantity` integer;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `known_side` text;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `known_price` integer;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `known_quantity` integer;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `resolved_at` integer;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `resolved_by` text;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `resolution` text;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `broker_breaks` ADD `resolution_id` text;--> statement-breakpoint
CREATE INDEX `broker_breaks_at` ON `broker_breaks` (`at`,`book`,`id`);--> statement-breakpoint
CREATE INDEX `broker_breaks_open` ON `broker_breaks` (`at`,`book`,`id`) WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX `trades_bought_by_execution` ON `trades` (`buy_order`) WHERE buy_order GLOB 'execution:*';--> statement-breakpoint
CREATE INDEX `trades_sold_by_execution` ON `trades` (`sell_order`) WHERE sell_order GLOB 'execution:*';