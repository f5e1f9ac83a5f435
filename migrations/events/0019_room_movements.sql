ALTER TABLE `timeline` ADD `judged` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `collections` ADD `reembed_asked_at` integer;--> statement-breakpoint
ALTER TABLE `cameras` ADD `unknown_faces` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TABLE `room_movements` (
	`entry_id` text NOT NULL,
	`implied` integer NOT NULL,
	`at` integer NOT NULL,
	`event_id` text NOT NULL,
	`room_id` text NOT NULL,
	`type` text NOT NULL,
	`effective` integer NOT NULL,
	`phase` integer NOT NULL,
	`leaf` integer NOT NULL,
	PRIMARY KEY(`entry_id`, `implied`, `at`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `room_spans` (
	`room_id` text NOT NULL,
	`phase` integer NOT NULL,
	`level` integer NOT NULL,
	`span` integer NOT NULL,
	`event_id` text NOT NULL,
	`stale` integer DEFAULT true NOT NULL,
	`entries` integer DEFAULT 0 NOT NULL,
	`exits` integer DEFAULT 0 NOT NULL,
	`repeated_entries` integer DEFAULT 0 NOT NULL,
	`repeated_exits` integer DEFAULT 0 NOT NULL,
	`high` integer,
	`high_at` integer,
	`low` integer,
	`changes_at` integer,
	`ends_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`room_id`, `phase`, `level`, `span`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `timeline_room_door` ON `timeline` (`room_id`,`attendee_tag`) WHERE "timeline"."type" <> 'present';--> statement-breakpoint
CREATE INDEX `timeline_room_person` ON `timeline` (`room_id`,`attendee_tag`,`first_seen_at`);--> statement-breakpoint
CREATE INDEX `timeline_room_person_last` ON `timeline` (`room_id`,`attendee_tag`,`last_seen_at`);--> statement-breakpoint
CREATE INDEX `timeline_unjudged` ON `timeline` (`event_id`,`room_id`,`attendee_tag`) WHERE "timeline"."judged" = 0 and "timeline"."type" <> 'present';--> statement-breakpoint
CREATE INDEX `room_movements_leaf` ON `room_movements` (`room_id`,`phase`,`leaf`);--> statement-breakpoint
CREATE INDEX `room_movements_event` ON `room_movements` (`event_id`);--> statement-breakpoint
CREATE INDEX `room_spans_event` ON `room_spans` (`event_id`,`level`);--> statement-breakpoint
CREATE INDEX `room_spans_stale` ON `room_spans` (`event_id`,`level`) WHERE "room_spans"."stale" = 1;--> statement-breakpoint
UPDATE cameras SET unknown_faces = (SELECT coalesce(sum("unknown"), 0) FROM frames WHERE frames.camera_id = cameras.id);
--> statement-breakpoint
CREATE TRIGGER frames_count_unknown AFTER INSERT ON frames WHEN NEW."unknown" <> 0
BEGIN
  UPDATE cameras SET unknown_faces = unknown_faces + NEW."unknown" WHERE id = NEW.camera_id;
END;
--> statement-breakpoint
CREATE TRIGGER frames_recount_unknown AFTER UPDATE OF "unknown" ON frames WHEN OLD."unknown" <> NEW."unknown"
BEGIN
  UPDATE cameras SET unknown_faces = unknown_faces + NEW."unknown" - OLD."unknown" WHERE id = NEW.camera_id;
END;
--> statement-breakpoint
CREATE TRIGGER frames_forget_unknown AFTER DELETE ON frames WHEN OLD."unknown" <> 0
BEGIN
  UPDATE cameras SET unknown_faces = unknown_faces - OLD."unknown" WHERE id = OLD.camera_id;
END;
--> statement-breakpoint
-- What follows from an entry that changes is judged anew, and so is whoever it was of before, by any other entry of theirs.
CREATE TRIGGER timeline_rejudge AFTER UPDATE OF room_id, attendee_tag, type, first_seen_at, last_seen_at, voided_at ON timeline
WHEN OLD.room_id <> NEW.room_id OR OLD.attendee_tag <> NEW.attendee_tag OR OLD.type <> NEW.type
  OR OLD.first_seen_at <> NEW.first_seen_at OR OLD.last_seen_at <> NEW.last_seen_at
  OR (OLD.voided_at IS NULL) <> (NEW.voided_at IS NULL)
BEGIN
  UPDATE timeline SET judged = 0 WHERE id = NEW.id AND judged <> 0;
  UPDATE timeline SET judged = 0
    WHERE (OLD.room_id <> NEW.room_id OR OLD.attendee_tag <> NEW.attendee_tag) AND id = (
      SELECT id FROM timeline WHERE room_id = OLD.room_id AND attendee_tag = OLD.attendee_tag AND type <> 'present' LIMIT 1
    );
END;
--> statement-breakpoint
CREATE TRIGGER timeline_forget AFTER DELETE ON timeline WHEN OLD.type <> 'present'
BEGIN
  DELETE FROM room_movements WHERE entry_id = OLD.id;
  UPDATE timeline SET judged = 0 WHERE id = (
    SELECT id FROM timeline WHERE room_id = OLD.room_id AND attendee_tag = OLD.attendee_tag AND type <> 'present' LIMIT 1
  );
END;
--> statement-breakpoint
-- A span is right or stale, whoever changes what it sums.
CREATE TRIGGER room_movements_added AFTER INSERT ON room_movements
BEGIN
  INSERT INTO room_spans (room_id, phase, level, span, event_id)
    SELECT NEW.room_id, NEW.phase, 0, NEW.leaf, NEW.event_id
    WHERE NOT EXISTS (SELECT 1 FROM room_spans WHERE room_id = NEW.room_id AND phase = NEW.phase AND level = 0 AND span = NEW.leaf);
  UPDATE room_spans SET stale = 1
    WHERE room_id = NEW.room_id AND phase = NEW.phase AND level = 0 AND span = NEW.leaf AND stale = 0;
END;
--> statement-breakpoint
CREATE TRIGGER room_movements_judged AFTER UPDATE OF effective ON room_movements
BEGIN
  UPDATE room_spans SET stale = 1
    WHERE room_id = NEW.room_id AND phase = NEW.phase AND level = 0 AND span = NEW.leaf AND stale = 0;
END;
--> statement-breakpoint
CREATE TRIGGER room_movements_gone AFTER DELETE ON room_movements
BEGIN
  UPDATE room_spans SET stale = 1
    WHERE room_id = OLD.room_id AND phase = OLD.phase AND level = 0 AND span = OLD.leaf AND stale = 0;
END;
