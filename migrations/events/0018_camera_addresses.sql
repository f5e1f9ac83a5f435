ALTER TABLE `cameras` ADD `sealed_source` blob;
