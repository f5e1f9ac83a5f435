CREATE TABLE `attendee_aliases` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`attendee_id` text NOT NULL,
	`attendee_tag` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `attendee_aliases_event` ON `attendee_aliases` (`event_id`,`attendee_id`);