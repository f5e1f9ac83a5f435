-- A day was the default before. Who is first in line has room a day after it began to wait: the wait must not end just then.
UPDATE `bridge_organizations` SET `queue_ms` = 172800000 WHERE `queue_ms` = 86400000;--> statement-breakpoint
ALTER TABLE `bridge_tenants` ADD `single_operator` integer DEFAULT false NOT NULL;
