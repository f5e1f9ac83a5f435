ALTER TABLE `attendees` ADD `email_fold` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `attendees_unfolded` ON `attendees` (`id`) WHERE "attendees"."email_fold" = 0;--> statement-breakpoint
ALTER TABLE `frames` ADD `sent_by` text;