CREATE TABLE `key_positions` (
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`book` text NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`key_id`, `day`, `book`)
);
