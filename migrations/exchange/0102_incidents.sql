CREATE TABLE `incident_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`incident` text NOT NULL,
	`state` text NOT NULL,
	`words` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `incident_updates_incident` ON `incident_updates` (`incident`,`id`);--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`parts` text NOT NULL,
	`state` text NOT NULL,
	`opened_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`resolved_at` integer
);
--> statement-breakpoint
CREATE INDEX `incidents_resolved` ON `incidents` (`resolved_at`,`id`);