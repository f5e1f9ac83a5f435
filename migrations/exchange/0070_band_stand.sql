ALTER TABLE `markets` ADD `band_target` integer;--> statement-breakpoint
ALTER TABLE `markets` ADD `band_told_at` integer;--> statement-breakpoint
ALTER TABLE `markets` ADD `band_statement` integer;--> statement-breakpoint
ALTER TABLE `markets` ADD `reference_statement` integer;
