CREATE TABLE `attendees` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`sealed_profile` blob NOT NULL,
	`email_tag` text NOT NULL,
	`consent_at` integer NOT NULL,
	`consent_by` text NOT NULL,
	`consent_text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attendees_email` ON `attendees` (`event_id`,`email_tag`);--> statement-breakpoint
CREATE TABLE `cameras` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`room_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`room_id`) REFERENCES `rooms`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `cameras_room` ON `cameras` (`room_id`);--> statement-breakpoint
CREATE INDEX `cameras_event` ON `cameras` (`event_id`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`name` text NOT NULL,
	`event_id` text,
	`shards` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collections_name` ON `collections` (`tenant`,`name`);--> statement-breakpoint
CREATE INDEX `collections_event` ON `collections` (`event_id`);--> statement-breakpoint
CREATE TABLE `corrections` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`reason` text NOT NULL,
	`sealed_change` blob NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `corrections_event` ON `corrections` (`event_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `enhancement_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`created_by` text NOT NULL,
	`status` text NOT NULL,
	`progress` real DEFAULT 0 NOT NULL,
	`fidelity` real NOT NULL,
	`upscale` integer NOT NULL,
	`source_key` text NOT NULL,
	`result_key` text,
	`original_width` integer,
	`original_height` integer,
	`enhanced_width` integer,
	`enhanced_height` integer,
	`face_restoration` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`error_code` text,
	`error_message` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `enhancement_jobs_tenant` ON `enhancement_jobs` (`tenant`,`created_at`);--> statement-breakpoint
CREATE INDEX `enhancement_jobs_expiry` ON `enhancement_jobs` (`expires_at`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`date` integer NOT NULL,
	`end_date` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	`shred_at` integer,
	`key_destroyed_at` integer,
	`shredded_at` integer
);
--> statement-breakpoint
CREATE INDEX `events_tenant` ON `events` (`tenant`,`date`);--> statement-breakpoint
CREATE INDEX `events_shred` ON `events` (`shred_at`);--> statement-breakpoint
CREATE TABLE `faces` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`collection_id` text NOT NULL,
	`photo_id` text NOT NULL,
	`shard` integer NOT NULL,
	`attendee_tag` text,
	`bbox` text NOT NULL,
	`quality` text NOT NULL,
	`confidence` real NOT NULL,
	`model_name` text NOT NULL,
	`model_version` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`photo_id`) REFERENCES `photos`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `faces_collection` ON `faces` (`collection_id`,`attendee_tag`);--> statement-breakpoint
CREATE INDEX `faces_photo` ON `faces` (`photo_id`);--> statement-breakpoint
CREATE TABLE `frames` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`room_id` text NOT NULL,
	`camera_id` text NOT NULL,
	`captured_at` integer NOT NULL,
	`image_tag` text NOT NULL,
	`object_key` text NOT NULL,
	`faces_detected` integer NOT NULL,
	`matched` integer NOT NULL,
	`unknown` integer NOT NULL,
	`sealed_result` blob NOT NULL,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`camera_id`) REFERENCES `cameras`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `frames_once` ON `frames` (`camera_id`,`captured_at`,`image_tag`);--> statement-breakpoint
CREATE INDEX `frames_room` ON `frames` (`room_id`,`captured_at`);--> statement-breakpoint
CREATE INDEX `frames_event` ON `frames` (`event_id`);--> statement-breakpoint
CREATE TABLE `invites` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`attendee_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invites_attendee` ON `invites` (`event_id`,`attendee_id`);--> statement-breakpoint
CREATE TABLE `permissions` (
	`name` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `photos` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`collection_id` text NOT NULL,
	`attendee_tag` text,
	`object_key` text NOT NULL,
	`byte_length` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `photos_collection` ON `photos` (`collection_id`,`attendee_tag`);--> statement-breakpoint
CREATE TABLE `role_permissions` (
	`role` text NOT NULL,
	`permission` text NOT NULL,
	PRIMARY KEY(`role`, `permission`),
	FOREIGN KEY (`role`) REFERENCES `roles`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`permission`) REFERENCES `permissions`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `roles` (
	`name` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rooms` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`name` text NOT NULL,
	`capacity` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `rooms_event` ON `rooms` (`event_id`);--> statement-breakpoint
CREATE TABLE `timeline` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`room_id` text NOT NULL,
	`camera_id` text,
	`type` text NOT NULL,
	`attendee_tag` text NOT NULL,
	`sealed_identity` blob NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`frame_id` text,
	`created_at` integer NOT NULL,
	`voided_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `timeline_room` ON `timeline` (`room_id`,`first_seen_at`);--> statement-breakpoint
CREATE INDEX `timeline_event` ON `timeline` (`event_id`,`first_seen_at`);--> statement-breakpoint
CREATE INDEX `timeline_person` ON `timeline` (`camera_id`,`attendee_tag`,`first_seen_at`);