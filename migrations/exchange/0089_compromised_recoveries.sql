ALTER TABLE `factor_recoveries` ADD `compromised` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `totp_factors` ADD `browser_hash` text;