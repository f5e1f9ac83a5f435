import type { Mutant } from './mutant.ts';

const OUTGOING = 'data/events/outgoing/outgoing-events.ts';
const NOTICE = 'domain/events/capacity-notice.ts';
const NOTICE_TESTS = ['domain/events/capacity-notice.test.ts'];
const WATCH = 'application/events/occupancy/watch-capacity.ts';
const TESTS = ['test/runtime/workers/events/webhooks.test.ts'];

/** What tenants of the events service are told, how often, and that nobody else is. */
export const TENANT_WEBHOOK_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a review that is opened is told in the batch of its frame',
    file: 'application/events/frames/ingest-frame.ts',
    from: 'doubtful.length === 0 ? [] : [reviewsOpened(',
    to: 'doubtful.length >= 0 ? [] : [reviewsOpened(',
    tests: TESTS,
  },
  {
    rule: 'one camera, or room, is told of once in ten seconds',
    file: OUTGOING,
    from: `AND o.type = \${type}), 0) + \${SPACING_MS})`,
    to: `AND o.type = \${type}), 0))`,
    tests: TESTS,
  },
  {
    rule: 'a message names a hundred reviews at most',
    file: OUTGOING,
    from: `) ORDER BY part, key LIMIT \${REVIEW_IDS_MAX}`,
    to: ') ORDER BY part, key',
    tests: TESTS,
  },
  {
    rule: 'nothing is closed while something that is closed is not told',
    file: OUTGOING,
    from: `\n        AND NOT EXISTS (\${CLOSED_AND_UNTOLD})\``,
    to: '`',
    tests: TESTS,
  },
  {
    rule: 'of one tenant few events are closed at once',
    file: OUTGOING,
    from: `WHERE place <= \${CLOSED_OF_TENANT_MAX} ORDER BY`,
    to: 'ORDER BY',
    tests: TESTS,
  },
  {
    rule: 'what waits of a deleted event is not closed',
    file: OUTGOING,
    from: 'AND e.deleted_at IS NULL\n            WHERE o.closed_at IS NULL AND o.due_at',
    to: '\n            WHERE o.closed_at IS NULL AND o.due_at',
    tests: TESTS,
  },
  {
    rule: 'what is closed of a deleted event is not told',
    file: OUTGOING,
    from: 'AND e.deleted_at IS NULL\n      WHERE o.closed_at IS NOT NULL AND o.told_at IS NULL ORDER BY',
    to: '\n      WHERE o.closed_at IS NOT NULL AND o.told_at IS NULL ORDER BY',
    tests: TESTS,
  },
  {
    rule: 'a tenant’s endpoints are told of its own events alone',
    file: 'durable-objects/webhook-dispatch/tenant-events.ts',
    from: 'if (endpoint.organization !== organization || !endpoint.events',
    to: 'if (!endpoint.events',
    tests: TESTS,
  },
  {
    rule: 'an endpoint is told of the events that it names alone',
    file: 'durable-objects/webhook-dispatch/tenant-events.ts',
    from: 'if (endpoint.securityIds !== null && !endpoint.securityIds.includes(of)) continue;',
    to: '',
    tests: TESTS,
  },
  {
    rule: 'a tenant is no partner of the same name',
    file: 'domain/webhooks/webhook-owner.ts',
    from: "const EVENTS_TENANT = 'events:';",
    to: "const EVENTS_TENANT = '';",
    tests: ['domain/webhooks/webhook-owner.test.ts'],
  },
  {
    rule: 'webhooks are of a tenant, and not of its organization',
    file: 'workers/events/webhooks/webhook-schema.ts',
    from: 'eventsTenantOwner(tenancyOf(c).tenant)',
    to: 'eventsTenantOwner(tenancyOf(c).organization)',
    tests: TESTS,
  },
  {
    rule: 'event admins say where messages go',
    file: 'workers/events/webhooks/webhook-schema.ts',
    from: "permission: 'webhooks:write'",
    to: "permission: 'events:read'",
    tests: TESTS,
  },
  {
    rule: 'a room in which a movement has changed is looked at again',
    file: 'data/events/timeline/judge-movements.ts',
    from: 'ON CONFLICT (room_id) DO UPDATE SET look_at = 0, changes = changes + 1',
    to: 'ON CONFLICT (room_id) DO NOTHING',
    tests: TESTS,
  },
  {
    rule: 'a capacity that nobody has looked at is found by the clock',
    file: WATCH,
    from: '    (after: string) => nextWatchedEvent(db, { after, now: Date.now() }),\n',
    to: '',
    tests: TESTS,
  },
  {
    rule: 'a request looks at few rooms',
    file: WATCH,
    from: '{ looks: 2, batches: 2, rooms: 10 }',
    to: '{ looks: 2, batches: 2, rooms: 50 }',
    tests: TESTS,
  },
  {
    rule: 'a call judges as many batches as it may, and leaves the rest',
    file: 'data/events/timeline/judge-movements.ts',
    from: 'batches >= batchesMax)',
    to: 'batches >= BATCHES_MAX)',
    tests: ['test/runtime/workers/events/room-movements.test.ts'],
  },
  {
    rule: 'capacities are looked at once for all frames of a request',
    file: 'application/events/frames/take-frame.ts',
    from: '  await watchAfter(env, camera, taken);\n  return ok(taken);',
    to: '  for (const one of taken) await watchAfter(env, camera, [one]);\n  return ok(taken);',
    tests: TESTS,
  },
  {
    rule: 'a look that fails takes no answer back',
    file: WATCH,
    from: "    log('warn', 'a capacity was not looked at', { event: eventId, ...describeBug(error) });",
    to: '    throw error;',
    tests: TESTS,
  },
  {
    rule: 'a room is looked at when its event ends',
    file: WATCH,
    from: '[endDate + 1]',
    to: '[]',
    tests: TESTS,
  },
  {
    rule: 'an alert that is over is told once',
    file: NOTICE,
    from: 'if (isKnown || isPast) return null;',
    to: 'if (isPast) return null;',
    tests: NOTICE_TESTS,
  },
  {
    rule: 'a late frame tells nothing of alerts that are over',
    file: NOTICE,
    from: 'if (isKnown || isPast) return null;',
    to: 'if (isKnown) return null;',
    tests: NOTICE_TESTS,
  },
  {
    rule: 'an alert that never was is withdrawn',
    file: NOTICE,
    from: 'if (told === null || told.isOver) return null;',
    to: 'return null;',
    tests: NOTICE_TESTS,
  },
  {
    rule: 'an alert that never was is withdrawn where there was an earlier one',
    file: NOTICE,
    from: 'if (last === null || isBefore(last, told)) {',
    to: 'if (last === null) {',
    tests: NOTICE_TESTS,
  },
  {
    rule: 'an earlier alert is not told again once a later one is withdrawn',
    file: NOTICE,
    from: 'last === null ? null : { startedAt: last.startedAt, isOver: true }',
    to: 'null',
    tests: NOTICE_TESTS,
  },
];
