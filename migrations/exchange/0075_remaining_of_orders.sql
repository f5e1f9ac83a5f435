ALTER TABLE `orders` ADD `remaining` integer;
