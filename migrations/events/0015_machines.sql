ALTER TABLE `events` ADD `deleted_by_machine` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `erasures` ADD `by_machine` integer DEFAULT false NOT NULL;
