CREATE TABLE `staff_trail` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`event_id` text,
	`act` text NOT NULL,
	`actor` text NOT NULL,
	`attendee_id` text,
	`object` text,
	`sealed_reason` blob,
	`created_at` integer NOT NULL,
	`status` integer
);
--> statement-breakpoint
CREATE INDEX `staff_trail_tenant` ON `staff_trail` (`tenant`,`id`);--> statement-breakpoint
CREATE INDEX `staff_trail_event` ON `staff_trail` (`event_id`,`id`);--> statement-breakpoint
CREATE INDEX `staff_trail_attendee` ON `staff_trail` (`event_id`,`attendee_id`);--> statement-breakpoint
INSERT INTO permissions (name, description) VALUES ('trail:read', 'See what staff did with attendees and faces');
--> statement-breakpoint
INSERT INTO role_permissions (role, permission) VALUES ('event_admin', 'trail:read');
