import type { Mutant } from './mutant.ts';

const TRAIL_TESTS = ['test/runtime/adversary/event-staff/trail.test.ts'];
const LEAVING_TESTS = ['test/runtime/adversary/event-admin/leaving.test.ts'];

/** Rules of the events service that keep one person from ending things for good, or unseen. */
export const LEAVING_AND_TRAIL_MUTANTS: readonly Mutant[] = [
  {
    rule: 'leaving: a departure waits a week at least',
    file: 'application/events/retention/leave-service.ts',
    from: 'Math.max(retentionMsOf(env), LEAVE_WAIT_MS_MIN)',
    to: 'retentionMsOf(env) + 0 * LEAVE_WAIT_MS_MIN',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: a departure that is asked for again keeps its date',
    file: 'data/events/retention/retention-departures.ts',
    from: 'WHERE departures.finished_at IS NOT NULL OR departures.stopped_at IS NOT NULL',
    to: 'WHERE true',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: a departure deletes every event of its tenant',
    file: 'data/events/retention/retention-departures.ts',
    from: 'SET deleted_at = coalesce(deleted_at,',
    to: 'SET description = coalesce(description,',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: no departure is stopped whose destruction has begun',
    file: 'data/events/retention/retention-departures.ts',
    from: 'isNull(departures.leavingAt), IS_OPEN',
    to: 'IS_OPEN',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: whoever deleted an event does not end its retention',
    file: 'data/events/retention/retention.ts',
    from: ', ne(events.deletedBy, person)',
    to: '',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: an event comes back only while it is retained',
    file: 'data/events/sites/events.ts',
    from: 'gt(events.shredAt, now), ',
    to: '',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: one person alone erases nobody at once',
    file: 'data/events/attendees/erasures.ts',
    from: 'ne(erasures.requestedBy, person), ',
    to: '',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: a collection is retained after it was deleted',
    file: 'data/events/images/collections.ts',
    from: 'or(isNull(collections.shredAt), lte(collections.shredAt, now))',
    to: 'lte(sql`0`, now)',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'trail: a request that is refused leaves no entry, so that none names who was erased',
    file: 'workers/events/trail/in-trail.ts',
    from: 'await dropStaffEntry(db, entry.id);',
    to: '',
    tests: TRAIL_TESTS,
  },
  {
    rule: 'trail: an entry has another id than the attendee whom it made',
    file: 'workers/events/trail/in-trail.ts',
    from: 'if (resourceId === undefined) return uuidv7();',
    to: 'if (resourceId === undefined || resourceId.length > 0) return resourceId ?? uuidv7();',
    tests: TRAIL_TESTS,
  },
  {
    rule: 'trail: erasing somebody takes them out of the trail',
    file: 'application/events/attendees/erase-attendee.ts',
    from: 'await forgetInTrail(db, eventId, { ids: trace.ids, tags });',
    to: 'forgetInTrail.length;',
    tests: TRAIL_TESTS,
  },
  {
    rule: 'trail: shredding an event takes its attendees out of the trail',
    file: 'application/events/retention/shred-event.ts',
    from: 'await forgetEventInTrail(db, event.id);',
    to: 'forgetEventInTrail.length;',
    tests: TRAIL_TESTS,
  },
  {
    rule: 'trail: a margin below the model’s own needs a reason',
    file: 'domain/faces/match-rule.ts',
    from: "(['matchFrom', 'reviewFrom', 'margin'] as const).some",
    to: "(['matchFrom', 'reviewFrom'] as const).some",
    tests: TRAIL_TESTS,
  },
];
