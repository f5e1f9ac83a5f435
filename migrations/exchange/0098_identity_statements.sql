CREATE TABLE `identity_statements` (
	`submission` text PRIMARY KEY NOT NULL,
	`identity` text NOT NULL,
	`facts` text NOT NULL,
	`attested` text NOT NULL,
	`submitted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `identity_statements_identity` ON `identity_statements` (`identity`);--> statement-breakpoint
ALTER TABLE `ended_applications` ADD `origin` text;--> statement-breakpoint
ALTER TABLE `ended_applications` ADD `tried_up_to` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `ended_applications_origin` ON `ended_applications` (`origin`) WHERE "ended_applications"."origin" IS NOT NULL;--> statement-breakpoint
-- What was handed in by now is kept as well.
INSERT INTO `identity_statements` (`submission`, `identity`, `facts`, `attested`, `submitted_at`)
SELECT `submission`, `id`, `facts`, `attested`, coalesce(`submitted_at`, `updated_at`) FROM `identities`
WHERE `submission` IS NOT NULL AND `facts` <> '' AND `state` NOT IN ('DRAFT', 'ASKED_BACK', 'EXPIRED');--> statement-breakpoint
-- Nobody loses an approval that was out of date before ends counted, without the notice of 30 days.
UPDATE `identities` SET `expires_at` = max(`expires_at`, unixepoch() * 1000 + 2764800000)
WHERE `state` = 'APPROVED' AND `expires_at` IS NOT NULL;--> statement-breakpoint
UPDATE `identities` SET `expires_at` = unixepoch() * 1000 + 63072000000
WHERE `state` = 'APPROVED' AND `expires_at` IS NULL;
