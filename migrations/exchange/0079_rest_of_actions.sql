ALTER TABLE `corporate_actions` ADD `rest_attempt` integer DEFAULT 1 NOT NULL;
