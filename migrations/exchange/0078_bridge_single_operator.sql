ALTER TABLE `bridge_tenants` ADD `single_operator` integer DEFAULT false NOT NULL;
