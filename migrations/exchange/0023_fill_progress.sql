ALTER TABLE `trade_adjustments` ADD `sequence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `trade_adjustments` ADD `buyer` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `trade_adjustments` ADD `seller` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `trade_adjustments_buyer` ON `trade_adjustments` (`buyer`,`sequence`);--> statement-breakpoint
CREATE INDEX `trade_adjustments_seller` ON `trade_adjustments` (`seller`,`sequence`);--> statement-breakpoint
ALTER TABLE `trades` ADD `buy_filled` integer;--> statement-breakpoint
ALTER TABLE `trades` ADD `buy_remaining` integer;--> statement-breakpoint
ALTER TABLE `trades` ADD `sell_filled` integer;--> statement-breakpoint
ALTER TABLE `trades` ADD `sell_remaining` integer;