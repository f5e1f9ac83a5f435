ALTER TABLE `assets` ADD `lockup_ends_at` integer;--> statement-breakpoint
ALTER TABLE `securities` ADD `pending` text;--> statement-breakpoint
ALTER TABLE `securities` ADD `tried_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `securities` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `securities_pending` ON `securities` (`tried_at`) WHERE "securities"."pending" is not null;