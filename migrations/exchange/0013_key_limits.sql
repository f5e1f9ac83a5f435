DROP TABLE `key_order_notionals`;--> statement-breakpoint
DROP TABLE `key_positions`;