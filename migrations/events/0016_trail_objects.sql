ALTER TABLE `staff_trail` ADD `attendee_tag` text;--> statement-breakpoint
CREATE INDEX `staff_trail_tag` ON `staff_trail` (`event_id`,`attendee_tag`);--> statement-breakpoint
CREATE INDEX `staff_trail_object` ON `staff_trail` (`tenant`,`object`);--> statement-breakpoint
UPDATE `staff_trail` SET `attendee_tag` = (SELECT `attendee_tag` FROM `faces` WHERE `faces`.`id` = `staff_trail`.`object`) WHERE `act` = 'face_deleted';--> statement-breakpoint
UPDATE `staff_trail` SET `object` = NULL
  WHERE `event_id` IS NOT NULL AND `act` IN ('photo_viewed', 'face_deleted')
    AND NOT EXISTS (SELECT 1 FROM `attendees` WHERE `attendees`.`id` = `staff_trail`.`attendee_id`) AND `attendee_tag` IS NULL;
