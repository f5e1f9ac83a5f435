CREATE TABLE `sign_ups` (
	`id` text PRIMARY KEY NOT NULL,
	`address` text NOT NULL,
	`mail_hash` text NOT NULL,
	`facts` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`code_tries` integer DEFAULT 0 NOT NULL,
	`mails` integer NOT NULL,
	`mailed_at` integer NOT NULL,
	`mail_confirmed_at` integer,
	`phone_codes` integer DEFAULT 0 NOT NULL,
	`phone_confirmed_at` integer,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer
);
--> statement-breakpoint
CREATE INDEX `sign_ups_address` ON `sign_ups` (`address`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_ups_mail` ON `sign_ups` (`mail_hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_ups_expires` ON `sign_ups` (`expires_at`);