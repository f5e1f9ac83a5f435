-- What the versions before wrote without the columns and tables of 0009 to 0015. It changes nothing a second time.
UPDATE `departures` SET `leaving_at` = `requested_at`
  WHERE `leaving_at` IS NULL AND `key_destroyed_at` IS NOT NULL AND `finished_at` IS NULL;--> statement-breakpoint
INSERT INTO `frame_pictures` (`event_id`, `image_tag`, `tenant`)
  SELECT DISTINCT `event_id`, `image_tag`, `tenant` FROM `frames` WHERE true
  ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE `events` SET `deleted_by_machine` = true
  WHERE `deleted_at` IS NOT NULL AND `deleted_by` IS NULL AND `key_destroyed_at` IS NULL;
