CREATE TABLE `camera_credentials` (
	`camera_id` text NOT NULL,
	`user_id` text NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`bound_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`camera_id`, `user_id`),
	FOREIGN KEY (`camera_id`) REFERENCES `cameras`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `camera_credentials_event` ON `camera_credentials` (`event_id`);--> statement-breakpoint
CREATE TABLE `frame_pictures` (
	`event_id` text NOT NULL,
	`image_tag` text NOT NULL,
	`tenant` text NOT NULL,
	PRIMARY KEY(`event_id`, `image_tag`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `timeline` ADD `late` integer DEFAULT false NOT NULL;
