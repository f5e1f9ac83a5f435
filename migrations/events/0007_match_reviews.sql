CREATE TABLE `match_reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`room_id` text NOT NULL,
	`camera_id` text NOT NULL,
	`status` text NOT NULL,
	`candidate_tag` text NOT NULL,
	`sealed_candidate` blob NOT NULL,
	`similarity` real NOT NULL,
	`runner_up` real,
	`frame_id` text NOT NULL,
	`frame_ids` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`camera_id`) REFERENCES `cameras`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `match_reviews_event` ON `match_reviews` (`event_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `match_reviews_camera` ON `match_reviews` (`camera_id`,`candidate_tag`,`last_seen_at`);--> statement-breakpoint
CREATE INDEX `match_reviews_candidate` ON `match_reviews` (`event_id`,`candidate_tag`);--> statement-breakpoint
ALTER TABLE `cameras` ADD `match_from` real;--> statement-breakpoint
ALTER TABLE `cameras` ADD `review_from` real;--> statement-breakpoint
ALTER TABLE `cameras` ADD `match_margin` real;--> statement-breakpoint
ALTER TABLE `events` ADD `match_from` real;--> statement-breakpoint
ALTER TABLE `events` ADD `review_from` real;--> statement-breakpoint
ALTER TABLE `events` ADD `match_margin` real;