DROP INDEX `amendments_admission`;--> statement-breakpoint
DROP INDEX `orders_admission`;--> statement-breakpoint
ALTER TABLE `books` ADD `admission` text DEFAULT '[]' NOT NULL;