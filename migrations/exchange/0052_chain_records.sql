CREATE TABLE `chain_records` (
	`id` text PRIMARY KEY NOT NULL,
	`trade_id` text NOT NULL,
	`hash` text NOT NULL,
	`tx` text NOT NULL,
	`block_number` integer NOT NULL,
	`noted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chain_records_trade` ON `chain_records` (`trade_id`,`id`);