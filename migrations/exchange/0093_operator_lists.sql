CREATE INDEX `accounts_frozen` ON `accounts` (`id`) WHERE "accounts"."frozen" = 1;--> statement-breakpoint
CREATE INDEX `domain_events_operator_type` ON `domain_events` (`type`,`id`) WHERE "domain_events"."type" glob 'operator.*';--> statement-breakpoint
CREATE INDEX `domain_events_operator_actor` ON `domain_events` (payload ->> 'actor',`id`) WHERE "domain_events"."type" glob 'operator.*';--> statement-breakpoint
CREATE INDEX `order_refusals_rule` ON `order_refusals` (`rule`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `order_refusals_owner` ON `order_refusals` (`owner`,`at`,`id`);