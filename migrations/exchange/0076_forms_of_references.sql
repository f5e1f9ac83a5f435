ALTER TABLE `register_holders` ADD `reference_form` text;--> statement-breakpoint
ALTER TABLE `register_holders` ADD `kind_stated` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `register_holders_form` ON `register_holders` (`security`,`reference_form`) WHERE "register_holders"."reference_form" is not null;
