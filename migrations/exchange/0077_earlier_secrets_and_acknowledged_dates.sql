ALTER TABLE `webhook_endpoints` ADD `earlier_secrets` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `transfer_instructions` ADD `acknowledged_date` text;
