ALTER TABLE `events` ADD `consent_text` text;
