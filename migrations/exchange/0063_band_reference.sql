ALTER TABLE `markets` ADD `band_reference` integer;
