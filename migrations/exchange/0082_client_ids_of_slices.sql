ALTER TABLE `order_slices` ADD `client_ids` text;
