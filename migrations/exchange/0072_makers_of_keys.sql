ALTER TABLE `api_keys` ADD `made_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `secret_at` integer;--> statement-breakpoint
CREATE INDEX `api_keys_made_by` ON `api_keys` (`made_by`) WHERE made_by IS NOT NULL;
