CREATE TABLE `job_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`began_at` integer NOT NULL,
	`ended_at` integer NOT NULL,
	`outcome` text NOT NULL,
	`failed_at` integer,
	`failure` text,
	`failures_in_row` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `domain_events_operator_subject` ON `domain_events` (`subject`,`id`) WHERE "domain_events"."type" glob 'operator.*';