ALTER TABLE `identities` ADD `held_until` integer;--> statement-breakpoint
ALTER TABLE `identities` ADD `held_submission` text;--> statement-breakpoint
ALTER TABLE `identities` ADD `held_provider` text;--> statement-breakpoint
ALTER TABLE `identities` ADD `held_reference` text;--> statement-breakpoint
CREATE INDEX `identities_held` ON `identities` (`held_until`) WHERE "identities"."held_until" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `identities_held_submission` ON `identities` (`held_submission`) WHERE "identities"."held_submission" IS NOT NULL;