ALTER TABLE `faces` ADD `passed_over_by` text;--> statement-breakpoint
CREATE INDEX `faces_model` ON `faces` (`collection_id`,`model_name`,`model_version`,`passed_over_by`);