ALTER TABLE `webhook_endpoints` ADD `ordering` text DEFAULT 'endpoint' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `security_ids` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `headers` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `header_names` text DEFAULT '[]' NOT NULL;