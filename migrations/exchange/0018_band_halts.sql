ALTER TABLE `markets` ADD `band_halt_seconds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `markets` ADD `halted_until` integer;