CREATE INDEX `domain_events_operator` ON `domain_events` (`id`) WHERE "domain_events"."type" glob 'operator.*';--> statement-breakpoint
-- What an operator did stays as it was written; only its dispatch may still be noted.
CREATE TRIGGER audit_trail_unchanged BEFORE UPDATE OF id, type, subject, payload, created_at ON domain_events
WHEN OLD.type GLOB 'operator.*'
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_trail_kept BEFORE DELETE ON domain_events WHEN OLD.type GLOB 'operator.*'
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
