ALTER TABLE `enhancement_jobs` ADD `byte_length` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `enhancement_jobs` ADD `turn` integer;--> statement-breakpoint
CREATE INDEX `enhancement_jobs_turn` ON `enhancement_jobs` (`turn`,`id`) WHERE status IN ('queued', 'processing');--> statement-breakpoint
CREATE INDEX `enhancement_jobs_waiting` ON `enhancement_jobs` (`tenant`,`turn`,`byte_length`) WHERE status IN ('queued', 'processing');--> statement-breakpoint
CREATE INDEX `enhancement_jobs_attempted` ON `enhancement_jobs` (`updated_at`) WHERE attempts > 0;
