CREATE TABLE `outgoing_events` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`closed_at` integer,
	`told_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outgoing_events_open` ON `outgoing_events` (`subject`,`type`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `outgoing_events_due` ON `outgoing_events` (`due_at`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `outgoing_events_closed` ON `outgoing_events` (`closed_at`) WHERE closed_at IS NOT NULL AND told_at IS NULL;--> statement-breakpoint
CREATE INDEX `outgoing_events_told` ON `outgoing_events` (`closed_at`) WHERE told_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outgoing_events_subject` ON `outgoing_events` (`subject`,`type`,`closed_at`);--> statement-breakpoint
CREATE INDEX `outgoing_events_event` ON `outgoing_events` (`event_id`);--> statement-breakpoint
CREATE TABLE `room_watches` (
	`room_id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`look_at` integer,
	`changes` integer DEFAULT 1 NOT NULL,
	`told_started_at` integer,
	`told_is_over` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`room_id`) REFERENCES `rooms`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `room_watches_due` ON `room_watches` (`look_at`) WHERE look_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `room_watches_event` ON `room_watches` (`event_id`,`look_at`);--> statement-breakpoint
ALTER TABLE `events` ADD `capacity_look_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `permissions` (`name`, `description`) VALUES ('webhooks:write', 'Register webhooks, and see what was sent to them');--> statement-breakpoint
INSERT INTO `role_permissions` (`role`, `permission`) VALUES ('event_admin', 'webhooks:write');
