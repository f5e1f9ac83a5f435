CREATE INDEX `listing_events_updated` ON `listing_events` (`updated_at`);--> statement-breakpoint
CREATE INDEX `mail_preferences_on` ON `mail_preferences` (`kind`,`user_id`) WHERE is_on = 1;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_disabled` ON `webhook_endpoints` (`disabled_at`) WHERE "webhook_endpoints"."disabled_at" is not null;