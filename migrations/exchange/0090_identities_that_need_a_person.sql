ALTER TABLE `identities` ADD `needs_person` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `identities` SET `needs_person` = 1 WHERE `state` = 'ASKED_BACK';--> statement-breakpoint
ALTER TABLE `sign_ups` ADD `codes_asked` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `sign_ups` ADD `code_asked_at` integer DEFAULT 0 NOT NULL;
