CREATE TABLE `partner_settlements` (
	`id` text PRIMARY KEY NOT NULL,
	`security` text NOT NULL,
	`book` text NOT NULL,
	`trade_sequence` integer NOT NULL,
	`buyer` text NOT NULL,
	`seller` text NOT NULL,
	`buy_order` text NOT NULL,
	`sell_order` text NOT NULL,
	`currency` text NOT NULL,
	`quantity` integer NOT NULL,
	`price` integer NOT NULL,
	`notional` integer NOT NULL,
	`executed_at` integer NOT NULL,
	`status` text NOT NULL,
	`settled_at` integer,
	`reversed_at` integer,
	`reason` text,
	`reversed_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`security`) REFERENCES `securities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `partner_settlements_trade` ON `partner_settlements` (`security`,`trade_sequence`);--> statement-breakpoint
CREATE INDEX `partner_settlements_security` ON `partner_settlements` (`security`,`id`);--> statement-breakpoint
CREATE INDEX `partner_settlements_pending` ON `partner_settlements` (`id`) WHERE "partner_settlements"."status" in ('pending', 'recorded');