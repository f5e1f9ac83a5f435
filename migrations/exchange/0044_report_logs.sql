CREATE INDEX `register_events_log` ON `register_events` (`security`,`recorded_at`,`id`) WHERE "register_events"."state" = 'recorded';--> statement-breakpoint
CREATE INDEX `transfer_instructions_log` ON `transfer_instructions` (`security`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `transfer_instructions_received` ON `transfer_instructions` (`agent`,`created_at`);