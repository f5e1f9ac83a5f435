ALTER TABLE `bridge_organizations` ADD `lane_terms` text DEFAULT '[]' NOT NULL;
