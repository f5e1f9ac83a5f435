import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SignedPayment, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { RelayedFate } from '../../domain/bridge/chains/relayed-fate.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { handIn } from './hand-in.ts';
import type { HandedIn, TransferStore } from './transfer-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const vault = {} as Vault;
const RELAYED: SignedPayment = { raw: '', transaction: null };

/** A payment whose transactions are what a test says; `sent` is what each was put in the place of. */
function payment(kind: 'payout' | 'refund' | 'cancel' = 'payout', signed = RELAYED) {
  const begun: { handedIn?: Record<string, HandedIn> } = {};
  const store = {
    begun,
    save: async (change: object) => void Object.assign(begun, change),
  } as unknown as TransferStore;
  const seen = { fate: 'waits' as RelayedFate, tooDear: false, sent: [] as (string | undefined)[] };
  const chains = {
    relayedFate: async () => seen.fate,
    broadcast: async (_vault: Vault, _signed: SignedPayment, before?: string) => {
      if (seen.tooDear) throw new RangeError('too much gas');
      seen.sent.push(before);
      return `t${seen.sent.length}`;
    },
  };
  const look = async () =>
    (await handIn({ store, rest_ms: MINUTE_MS }, chains, { vault, kind, key: `${kind} r`, signed })).state;
  return { seen, look };
}

test('what the relayer has handed in is not handed in again within a minute, nor while it waits or has landed', async () => {
  const { seen, look } = payment();
  expect(await look()).toBe('handed_in');
  seen.fate = 'unknown';
  vi.advanceTimersByTime(MINUTE_MS - 1);
  expect(await look()).toBe('rests');
  seen.fate = 'waits';
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(await look()).toBe('rests');
  seen.fate = 'landed';
  expect(await look()).toBe('rests');
  expect(seen.sent).toEqual([undefined]);
  // A reorganization, or a full pool, has taken it away.
  seen.fate = 'unknown';
  expect(await look()).toBe('handed_in');
  expect(await look()).toBe('rests');
  // What gas costs by now is more than it offers.
  seen.fate = 'outbid';
  vi.advanceTimersByTime(MINUTE_MS);
  expect(await look()).toBe('handed_in');
  expect(seen.sent).toEqual([undefined, undefined, 't2']);
});

test.each(['payout', 'refund'] as const)('a %s that has failed in two blocks is given up', async (kind) => {
  const { seen, look } = payment(kind);
  seen.fate = 'failed';
  await look();
  vi.advanceTimersByTime(MINUTE_MS);
  expect(await look()).toBe('rests');
  vi.advanceTimersByTime(2 * MINUTE_MS);
  expect(await look()).toBe('rests');
  vi.advanceTimersByTime(MINUTE_MS);
  expect(await look()).toBe('handed_in');
  vi.advanceTimersByTime(4 * MINUTE_MS);
  expect(await look()).toBe('unpayable');
  vi.advanceTimersByTime(1_000 * MINUTE_MS);
  expect(await look()).toBe('unpayable');
  expect(seen.sent).toHaveLength(2);
});

test('what takes more gas than was paid for is given up at once; a cancellation never is, and rests the longer', async () => {
  const dear = payment();
  dear.seen.tooDear = true;
  expect(await dear.look()).toBe('unpayable');
  const { seen, look } = payment('cancel');
  seen.tooDear = true;
  await expect(look()).rejects.toThrow('too much gas');
  seen.tooDear = false;
  seen.fate = 'failed';
  // A day of looks, each half a minute.
  for (let at = 0; at < 2 * 24 * 60; at++) {
    await look();
    vi.advanceTimersByTime(MINUTE_MS / 2);
  }
  expect(seen.sent.length).toBeGreaterThan(3);
  expect(seen.sent.length).toBeLessThan(8);
});

test('bytes of the chain’s own are handed in at each look', async () => {
  const { seen, look } = payment('payout', { raw: '', transaction: 'own' });
  for (let at = 0; at < 3; at++) expect(await look()).toBe('handed_in');
  expect(seen.sent).toHaveLength(3);
});
