CREATE TABLE `investor_checks` (
	`investor` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`provider` text,
	`reference` text,
	`decided_request` text,
	`reason` text,
	`checked_at` integer,
	`expires_at` integer,
	`request` text NOT NULL,
	`request_provider` text NOT NULL,
	`request_reference` text,
	`open` integer NOT NULL,
	`asked_at` integer NOT NULL,
	`applied` integer NOT NULL,
	PRIMARY KEY(`investor`, `kind`),
	FOREIGN KEY (`investor`) REFERENCES `investors`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `investor_checks_waiting` ON `investor_checks` (`asked_at`) WHERE "investor_checks"."open" = 1 OR "investor_checks"."applied" = 0;--> statement-breakpoint
CREATE INDEX `investor_checks_expiry` ON `investor_checks` (`expires_at`) WHERE "investor_checks"."expires_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `investors` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` text NOT NULL,
	`name` text NOT NULL,
	`account_type` text NOT NULL,
	`country` text NOT NULL,
	`us_person` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `investors_organization` ON `investors` (`organization`,`id`);--> statement-breakpoint
CREATE TABLE `partner_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`organization` text NOT NULL,
	`investor` text NOT NULL,
	`account` text NOT NULL,
	`security` text NOT NULL,
	`time_in_force` text NOT NULL,
	`broker_dealer_firm_name` text NOT NULL,
	`broker_dealer_crd_number` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`investor`) REFERENCES `investors`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `partner_orders_organization` ON `partner_orders` (`organization`,`id`);