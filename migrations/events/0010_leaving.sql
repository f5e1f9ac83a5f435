ALTER TABLE `departures` ADD `leave_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `departures` ADD `stopped_at` integer;--> statement-breakpoint
ALTER TABLE `departures` ADD `stopped_by` text;--> statement-breakpoint
ALTER TABLE `departures` ADD `leaving_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `deleted_by` text;--> statement-breakpoint
ALTER TABLE `collections` ADD `deleted_name` text;--> statement-breakpoint
ALTER TABLE `collections` ADD `deleted_by` text;--> statement-breakpoint
ALTER TABLE `collections` ADD `shred_at` integer;--> statement-breakpoint
CREATE TABLE `erasures` (
	`attendee_id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text NOT NULL,
	`requested_by` text NOT NULL,
	`requested_at` integer NOT NULL,
	`erase_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `erasures_event` ON `erasures` (`event_id`,`attendee_id`);--> statement-breakpoint
CREATE INDEX `erasures_due` ON `erasures` (`erase_at`);--> statement-breakpoint
UPDATE permissions SET description = 'Delete events, and take that back while they are retained' WHERE name = 'events:delete';
--> statement-breakpoint
INSERT INTO permissions (name, description) VALUES
  ('events:shred', 'End the retention of an event that somebody else deleted'),
  ('collections:delete', 'Delete collections, and take that back while they are retained'),
  ('tenant:leave', 'Ask that the tenant leaves');
--> statement-breakpoint
INSERT INTO role_permissions (role, permission) VALUES
  ('event_admin', 'events:shred'),
  ('event_admin', 'collections:delete'),
  ('event_admin', 'tenant:leave');
