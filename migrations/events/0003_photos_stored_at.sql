ALTER TABLE `photos` ADD `stored_at` integer;--> statement-breakpoint
CREATE INDEX `photos_unstored` ON `photos` (`created_at`) WHERE coalesce(stored_at, -1) < 0;