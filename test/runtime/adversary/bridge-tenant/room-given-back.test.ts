import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Database, database } from '../../../../data/database.ts';
import type { AskingTransfer } from '../../../../domain/bridge/lane-turns.ts';
import { laneTurnsOf } from '../../../../durable-objects/chain-watcher/api.ts';
import { bridgeTransferOf } from '../../../../durable-objects/transfer/api.ts';
import { createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { INSIDE, initiated, OUTSIDE, paidIn, reached, until } from '../../fixtures/carry-transfer.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';

const LIMIT = 10_000_000;

let db: Database;
beforeAll(async () => {
  db = database(env.DB);
  await migrate();
});
afterEach(clearBridgeFaults);

describe('what a customer was given back in a lane', () => {
  const of = (commitment: string, customer: string, amount: number): AskingTransfer => ({
    commitment,
    customer,
    amount,
    limit: LIMIT,
    held: LIMIT,
  });

  test('B-10: is free for others, and stays taken for that customer, once however often it is told', async () => {
    const lane = laneTurnsOf(env, { guard: '0xab', lane: 'given back' });
    for (let again = 0; again < 2; again++) await lane.gaveBack(of('a', 'mallory', 6_000_000));
    expect(await lane.turnOf(of('b', 'mallory', 4_000_001))).toBe('own_day');
    expect(await lane.turnOf(of('c', 'mallory', 4_000_000))).toBe('passes');
    expect(await lane.turnOf(of('d', 'alice', LIMIT))).toBe('passes');
  });

  test('B-10: holds up nobody, also where a transfer of that customer waits already', async () => {
    const lane = laneTurnsOf(env, { guard: '0xab', lane: 'behind' });
    await lane.waits({ commitment: 'large', amount: 5_000_000, until: Date.now() + 3_600_000 }, false);
    expect(await lane.turnOf(of('a', 'alice', 5_000_001))).toBe('others_first');
    await lane.gaveBack(of('b', 'mallory', 6_000_000));
    expect(await lane.turnOf(of('large', 'mallory', 5_000_000))).toBe('own_day');
    expect(await lane.turnOf(of('a', 'alice', 5_000_001))).toBe('passes');
  });

  test('B-10: is forgotten a day later', async () => {
    const lane = laneTurnsOf(env, { guard: '0xab', lane: 'a day later' });
    await lane.gaveBack(of('a', 'mallory', LIMIT));
    expect(await lane.turnOf(of('b', 'mallory', 1))).toBe('own_day');
    await runInDurableObject(env.CHAIN_WATCHER.getByName('lane/0xab/a day later'), (_, { storage }) => {
      storage.sql.exec('UPDATE given_back SET at = ?', Date.now() - 86_400_000);
    });
    expect(await lane.turnOf(of('b', 'mallory', 1))).toBe('passes');
  });
});

describe.skipIf(!hasChains)('a customer whose transfers go back', { timeout: 400_000 }, () => {
  test('B-10: keeps the lane from nobody but from themselves', async () => {
    const own = await createBridgeOrganization(db, { limit: LIMIT, challengeFrom: 6_000_000 });
    const first = await initiated(own, OUTSIDE, { account: own.account }, 8);
    await paidIn(first);
    await reached(first.terms.id, 'challenge');
    await onChains({ do: 'veto', guard: own.guard, commitment: first.commitment });
    bridgeFaults.kills = ['room given back'];
    await reached(first.terms.id, 'refunded');
    expect(bridgeFaults.kills).toEqual([]);
    const again = await initiated(own, OUTSIDE, { account: own.account }, 8);
    await paidIn(again);
    const waiting = await reached(again.terms.id, 'queued');
    expect(waiting.waitsFor).toContain('counts against them');
    // Another customer's is paid at once: with the room of the first it would not fit.
    const other = await initiated(own, OUTSIDE, INSIDE, 5);
    await paidIn(other);
    await reached(other.terms.id, 'confirmed');
  });

  test('B-10: has what the ledger gives back at once while the guard is away, and its room follows', async () => {
    const own = await createBridgeOrganization(db, { limit: LIMIT, challengeFrom: 4_000_000 });
    const inward = await initiated(own, OUTSIDE, { account: own.account }, 3);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    const second = await initiated(own, OUTSIDE, { account: own.account }, 2);
    await paidIn(second);
    await reached(second.terms.id, 'confirmed');
    const outward = await initiated(own, { account: own.account }, OUTSIDE, 5);
    await reached(outward.terms.id, 'challenge');
    await onChains({ do: 'veto', guard: own.guard, commitment: outward.commitment });
    bridgeFaults.failing = ['giveBack'];
    const end = await reached(outward.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'vetoed' });
    const small = await initiated(own, OUTSIDE, INSIDE, 1);
    await paidIn(small);
    await until(small.terms.id, ({ transfer, waitsFor }) => transfer.state === 'queued' && waitsFor !== null);
    bridgeFaults.failing = [];
    await bridgeTransferOf(env, outward.terms.id).push();
    await reached(small.terms.id, 'confirmed');
  });

  test('B-10: gives no room back of a payout that signers may have signed', async () => {
    const own = await createBridgeOrganization(db, { limit: LIMIT });
    const first = await initiated(own, OUTSIDE, INSIDE, 8);
    await paidIn(first);
    bridgeFaults.refusing = [0, 1, 2];
    await until(first.terms.id, ({ transfer }) => transfer.refundReason === 'unsignable');
    bridgeFaults.refusing = [];
    await reached(first.terms.id, 'refunded');
    const other = await initiated(own, OUTSIDE, INSIDE, 5);
    await paidIn(other);
    const waiting = await reached(other.terms.id, 'queued');
    expect(waiting.waitsFor).toContain('no room');
  });
});
