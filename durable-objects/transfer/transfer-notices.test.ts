import { expect, test } from 'vitest';
import { TOLD_TIMES_MAX } from '../../domain/bridge/told-changes.ts';
import { newTransfer, type Transfer } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { BRIDGE_EVENT_PAYLOADS } from '../../protocol/partner/bridge-events.ts';
import { noticed, noticeRow } from './transfer-notices.ts';
import type { TransferNotice } from './transfer-store.ts';

const terms: TransferTerms = {
  id: 't',
  organization: 'acme',
  asset: 'USDC',
  source: { kind: 'chain', chain: 'stellar', address: 'G', memo: 'id:7' },
  destination: { kind: 'account', account: 'a' },
  amountIn: '123456789012345678901234567890',
  amountOut: '1200',
  amount: 1300,
  fee: 100,
  expiresAt: 10_000,
};
const fresh = newTransfer(terms);
const funds = { reference: 'in', amount: '130', cameAt: 1, isLost: false };
const others = [{ payer: 'x', reference: 'r', amount: '5' }];

let ids = 0;
const change = (at: number, cause: TransferNotice['cause'] = 'clock') => ({ at, cause, newId: () => `id-${++ids}` });
const began = () => noticed(null, { transfer: fresh, debitRefusal: null }, change(1, null));

/** The record of a transfer that has gone through these states, one after the other. */
function wentThrough(...changes: readonly Partial<Transfer>[]) {
  let [transfer, kept] = [fresh, began()];
  for (const [index, next] of changes.entries()) {
    const before = transfer;
    transfer = { ...transfer, ...next };
    kept = { ...kept, ...noticed(before, { transfer, debitRefusal: null, others, ...kept }, change(index + 2)) };
  }
  return kept;
}

const typesOf = ({ untold = [] }: ReturnType<typeof began>) =>
  untold.map(({ type, number }) => [type.replace('bridge.transfer.', ''), number]);

test('a tenant is told of each change once, numbered, with an id of its own, and of what happens in between nothing', () => {
  const kept = wentThrough(
    { state: 'confirming', funds },
    { state: 'attesting', until: 9 },
    { attestedBy: [0] },
    { state: 'limit_check', until: null },
    { state: 'signing' },
    { state: 'confirmed', isUncovered: true },
  );
  expect(typesOf(kept)).toEqual([
    ['awaiting_funds', 1],
    ['confirming', 2],
    ['attesting', 3],
    ['confirmed', 4],
    ['uncovered', 5],
  ]);
  expect(new Set(kept.untold?.map(({ id }) => id)).size).toBe(5);
});

test('a change of which nothing is told stores nothing', () => {
  const [before, transfer] = [{ ...fresh, state: 'attesting' } as const, { ...fresh, state: 'limit_check' } as const];
  expect(noticed(before, { transfer, debitRefusal: null, untold: [], told: {} }, change(1))).toEqual({});
});

test('what is told says how the transfer stood then, whatever has become of it since', () => {
  const { untold = [] } = wentThrough({ state: 'confirming', funds }, { state: 'awaiting_funds', funds: null });
  const rows = untold.map((notice) => noticeRow({ terms, hostname: 'h', commitment: 'c', createdAt: 1 }, notice));
  expect(rows.map(({ facts }) => [facts.state, facts.from, facts.funds?.amount, facts.waits_until])).toEqual([
    ['awaiting_funds', null, undefined, '1970-01-01T00:00:10.000Z'],
    ['confirming', 'awaiting_funds', '130', null],
    ['awaiting_funds', 'confirming', undefined, '1970-01-01T00:00:10.000Z'],
  ]);
});

test('each event is told so often at most, and its numbers go on without a gap', () => {
  const flaps = Array.from(
    { length: 60 },
    (_, at) => ({ state: at % 2 === 0 ? 'confirming' : 'awaiting_funds' }) as const,
  );
  const kept = wentThrough(...flaps, { state: 'expired' });
  const types = typesOf(kept);
  for (const state of ['confirming', 'awaiting_funds'])
    expect(types.filter(([type]) => type === state)).toHaveLength(TOLD_TIMES_MAX);
  expect(types.map(([, number]) => number)).toEqual(Array.from({ length: 2 * TOLD_TIMES_MAX + 1 }, (_, at) => at + 1));
  expect(types.at(-1)?.[0]).toBe('expired');
});

test('each event has the shape that is published, and names what others have paid in where that is the news', () => {
  const payment = { kind: 'refund', reference: 'r', transaction: 'tx', isAbandoned: false } as const;
  const { untold = [] } = wentThrough(
    { state: 'confirming', funds },
    { state: 'refundable', refundReason: 'late' },
    { state: 'refund_broadcast', payment },
    { state: 'refunded', isUncovered: true },
    { isUncovered: false },
    { state: 'paid_by_other' },
  );
  for (const notice of untold) {
    const { id, type, facts } = noticeRow({ terms, hostname: 'h', commitment: 'c', createdAt: 1 }, notice);
    const head = { event_id: id, event_type: type, endpoint: '', timestamp: facts.changed_at, version: '1.0.0' };
    expect(BRIDGE_EVENT_PAYLOADS[type].safeParse({ webhook_event: head, ...facts }).error).toBeUndefined();
    expect(facts.other_funds).toEqual(facts.state === 'paid_by_other' ? others : []);
    // Amounts of chains do not fit into a number.
    expect(facts.quote.fee).toBe('9496676077872744530864197530');
  }
  expect(untold).toHaveLength(8);
});
