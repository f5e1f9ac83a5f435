import type { Mutant } from './mutant.ts';

const NOTICES = 'durable-objects/transfer/transfer-notices.ts';
const OBJECT = 'durable-objects/transfer/transfer.ts';
const ROWS = 'data/bridge/transfers.ts';
const WAITING = 'data/webhooks/undispatched-events.ts';
const DISPATCH = 'durable-objects/webhook-dispatch/webhook-dispatch.ts';
const TOLD = 'domain/bridge/told-changes.ts';
const notices = ['durable-objects/transfer/transfer-notices.test.ts'];
const changes = ['domain/bridge/told-changes.test.ts'];
const rows = ['test/runtime/data/bridge/transfers.test.ts'];
const transfers = ['test/runtime/durable-objects/transfer/transfer.test.ts'];
const routes = ['test/runtime/workers/partner/webhooks.test.ts'];

/** What a tenant of the bridge is told of its transfers: of all that happened, once, in order, and nobody else. */
export const BRIDGE_NOTICE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a state of a transfer that stays is told once',
    file: TOLD,
    from: 'if (before?.state !== after.state && isBridgeEvent(event)) told.push(event);',
    to: 'if (isBridgeEvent(event)) told.push(event);',
    tests: changes,
  },
  {
    rule: 'funds that are lost after a payment are told',
    file: TOLD,
    from: 'if ((before?.isUncovered ?? false) !== after.isUncovered)',
    to: 'if (before !== null && before.isUncovered && !after.isUncovered)',
    tests: changes,
  },
  {
    rule: 'a payment that is to be cancelled is told once',
    file: TOLD,
    from: 'if (mustCancel(after) && (before === null || !mustCancel(before)))',
    to: 'if (mustCancel(after))',
    tests: changes,
  },
  {
    rule: 'a transfer tells each event so often at most',
    file: NOTICES,
    from: 'if (times >= TOLD_TIMES_MAX) return [];',
    to: '',
    tests: notices,
  },
  {
    rule: 'what waits to be told is kept beside what comes',
    file: NOTICES,
    from: 'untold: [...(after.untold ?? []), ...notices] };',
    to: 'untold: notices };',
    tests: notices,
  },
  {
    rule: 'an event of a transfer says how it stood then',
    file: NOTICES,
    from: 'state: stood.state,',
    to: "state: 'awaiting_funds',",
    tests: notices,
  },
  {
    rule: 'what is told of a change is stored with it',
    file: OBJECT,
    from: 'await this.#store.save({ ...change, ...notices });',
    to: 'await this.#store.save(change);',
    tests: transfers,
  },
  {
    rule: 'that a transfer has begun is told',
    file: OBJECT,
    from: 'this.#store.save({ ...start, commitment, transfer, ...nothing, ...notices }),',
    to: 'this.#store.save({ ...start, commitment, transfer, ...nothing }),',
    tests: transfers,
  },
  {
    rule: 'what D1 has of a transfer is told by one id, also where the object was lost',
    file: NOTICES,
    from: 'return { id, type, facts, createdAt: at };',
    to: 'return { id: crypto.randomUUID(), type, facts, createdAt: at };',
    tests: transfers,
  },
  {
    rule: 'events of a transfer are written in the batch of its row',
    file: ROWS,
    from: 'const { id, organization, hostname, commitment, state, changes, updatedAt, terms } = shown;',
    to: 'const { id, organization, hostname, commitment, state, changes, updatedAt, terms } = shown;\n  if (events.length > 0) await showTransfer(db, shown);',
    tests: rows,
  },
  {
    rule: 'an event of a transfer is of the organization whose transfer it is',
    file: ROWS,
    from: ', organization, $',
    to: ', hostname, $',
    tests: rows,
  },
  {
    rule: 'of each tenant as many events are told as of any other',
    file: WAITING,
    from: 'const share = Math.floor(limit / tenants.length);',
    to: 'const share = limit;',
    tests: rows,
  },
  {
    rule: 'events of the bridge keep no trade waiting',
    file: WAITING,
    from: "const OF_OTHERS = sql`dispatched_at IS NULL AND type NOT GLOB 'bridge.*'`;",
    to: 'const OF_OTHERS = sql`dispatched_at IS NULL`;',
    tests: rows,
  },
  {
    rule: 'a transfer of the bridge is told to its tenant',
    file: DISPATCH,
    from: "if ('tenant' in event) return [event.tenant];",
    to: "if ('tenant' in event) return [];",
    tests: transfers,
  },
  {
    rule: 'events of a tenant are narrowed to no securities',
    file: 'application/partner/webhooks/outside-role.ts',
    from: 'if (securityIds == null || mayNarrow(role)) return null;',
    to: 'return null;',
    tests: routes,
  },
];
