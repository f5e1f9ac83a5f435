import type { Mutant } from './mutant.ts';

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
    rule: 'leaving: what was made while a departure waited goes with it',
    file: 'application/events/retention/destroy-tenant-key.ts',
    from: 'recordTenantKeyDestroyed(db, begun,',
    to: 'recordTenantKeyDestroyed(db, { ...begun, leavingAt: 0 },',
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
    file: 'application/events/retention/shred-deleted-event.ts',
    from: ' || event.deletedBy === by',
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
    file: 'application/events/attendees/request-erasure.ts',
    from: 'stands.requestedBy === requestedBy',
    to: 'stands.requestedBy !== requestedBy',
    tests: LEAVING_TESTS,
  },
  {
    rule: 'leaving: a collection is retained after it was deleted',
    file: 'data/events/images/collections.ts',
    from: 'or(isNull(collections.shredAt), lte(collections.shredAt, now))',
    to: 'lte(sql`0`, now)',
    tests: LEAVING_TESTS,
  },
];
