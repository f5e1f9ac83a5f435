ALTER TABLE `corporate_action_payments` ADD `part` integer;--> statement-breakpoint
ALTER TABLE `corporate_action_payments` ADD `reason` text;--> statement-breakpoint
CREATE INDEX `corporate_action_payments_part` ON `corporate_action_payments` (`action`,`state`,`part`) WHERE "corporate_action_payments"."part" is not null;--> statement-breakpoint
ALTER TABLE `corporate_actions` ADD `reversed_at` integer;