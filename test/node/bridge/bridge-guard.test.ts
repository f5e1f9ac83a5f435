import fc from 'fast-check';
import { type Hex, keccak256, stringToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainTransport } from '../../../domain/bridge/chains/chain-adapter.ts';
import {
  giveBackRoom,
  readClearance,
  readLane,
  requestClearance,
} from '../../../domain/bridge/chains/evm/guard-client.ts';
import {
  ADMIN,
  anId,
  DAY_S,
  deployTestGuard,
  hasDevnet,
  REQUESTER,
  STRANGER,
  type Standing,
  TestChain,
  WATCHTOWER,
} from './bridge.fixtures.ts';

const REQUESTER_KEY = `0x${Buffer.from(REQUESTER.getHdKey().privateKey ?? []).toString('hex')}`;

describe.skipIf(!hasDevnet)('a guard', () => {
  let chain: TestChain;
  let guard: Standing;
  let lane: Hex;
  beforeAll(async () => {
    chain = await TestChain.start(8_675_311);
    guard = await deployTestGuard(chain);
  });
  afterAll(() => chain?.stop());

  let lanes = 0;
  /** A lane of its own for a test. */
  async function newLane(limit: bigint, challengeFrom = 2n ** 207n, challengeSeconds = 0n): Promise<Hex> {
    lanes += 1;
    lane = keccak256(stringToHex(`lane ${lanes}`));
    const { error } = await chain.send(guard, 'setLane', [lane, { limit, challengeFrom, challengeSeconds }], ADMIN);
    expect(error).toBeNull();
    return lane;
  }
  const request = (id: Hex, amount: bigint, of = lane) => chain.send(guard, 'request', [id, of, amount], REQUESTER);
  interface Clearance {
    readonly amount: bigint;
    readonly clearAt: number;
    readonly countedAt: number;
    readonly isVetoed: boolean;
    readonly isGivenBack: boolean;
    readonly lane: Hex;
  }
  const giveBack = (id: Hex) => chain.send(guard, 'giveBack', [id], REQUESTER);
  const room = () => chain.read<bigint>(guard, 'room', [lane]);
  const clearance = (id: Hex) => chain.read<Clearance>(guard, 'clearanceOf', [id]);

  test('counts a transfer once, in one lane, with one amount', async () => {
    await newLane(100n);
    const id = anId();
    expect((await clearance(id)).amount).toBe(0n);
    expect((await request(id, 60n)).error).toBeNull();
    expect((await request(id, 60n)).error).toBeNull();
    expect(await chain.read(guard, 'room', [lane])).toBe(40n);
    expect(await clearance(id)).toMatchObject({ amount: 60n, isVetoed: false, lane });
    expect((await request(id, 59n)).error).toBe('CountedOtherwise');
    const first = lane;
    await newLane(1_000n);
    expect((await request(id, 60n)).error).toBe('CountedOtherwise');
    expect((await clearance(id)).lane).toBe(first);
  });

  test('has no room in a lane that nobody has set, for nothing, and for more than the lane takes', async () => {
    await newLane(100n);
    expect((await request(anId(), 1n, keccak256(stringToHex('no lane')))).error).toBe('OverLimit');
    expect((await request(anId(), 0n)).error).toBe('OverLimit');
    expect((await request(anId(), 101n)).error).toBe('OverLimit');
    expect((await request(anId(), 100n)).error).toBeNull();
  });

  test('whatever is asked for when, no 24 hours of a lane have more than its limit', async () => {
    const asked = fc.record({ amount: fc.integer({ min: 1, max: 60 }), pause_s: fc.integer({ min: 0, max: 30_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 4, maxLength: 12 }), async (asks) => {
        await newLane(100n);
        const counted: { at: bigint; amount: bigint }[] = [];
        for (const { amount, pause_s } of asks) {
          await chain.pass(pause_s);
          const { error } = await request(anId(), BigInt(amount));
          const at = await chain.now();
          const recent = counted.filter((each) => each.at > at - BigInt(DAY_S));
          const used = recent.reduce((sum, each) => sum + each.amount, 0n);
          expect(error).toBe(used + BigInt(amount) <= 100n ? null : 'OverLimit');
          if (error === null) counted.push({ at, amount: BigInt(amount) });
        }
      }),
      { numRuns: 12 },
    );
  });

  test('B-10: whatever is given back when, no 24 hours of a lane have more than its limit of what was not', async () => {
    const asked = fc.record({
      amount: fc.integer({ min: 1, max: 60 }),
      pause_s: fc.integer({ min: 0, max: 30_000 }),
      back: fc.option(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 6, maxLength: 14 }), async (asks) => {
        await newLane(100n);
        const counted: { id: Hex; at: bigint; amount: bigint; isBack: boolean }[] = [];
        for (const { amount, pause_s, back } of asks) {
          await chain.pass(pause_s);
          const given = back === null ? undefined : counted[back % Math.max(1, counted.length)];
          if (given !== undefined) {
            expect((await giveBack(given.id)).error).toBeNull();
            given.isBack = true;
          }
          const id = anId();
          const { error } = await request(id, BigInt(amount));
          const at = await chain.now();
          const recent = counted.filter((each) => each.at > at - BigInt(DAY_S));
          // Room that came back leaves with the hour in which it was taken: up to an hour before the amount does, and never after it.
          const isFree = (each: (typeof counted)[number]) =>
            each.isBack && (each.at / 3_600n) * 3_600n > at - BigInt(DAY_S);
          const used = recent.reduce((sum, each) => sum + (isFree(each) ? 0n : each.amount), 0n);
          expect(error).toBe(used + BigInt(amount) <= 100n ? null : 'OverLimit');
          if (error === null) counted.push({ id, at, amount: BigInt(amount), isBack: false });
        }
      }),
      { numRuns: 16 },
    );
  });

  test('B-10: frees the room of a transfer that goes back, once, and its payout is vetoed for good', async () => {
    await newLane(100n);
    const [id, other] = [anId(), anId()];
    expect((await giveBack(id)).error).toBe('NotRequested');
    await request(id, 60n);
    await request(other, 40n);
    expect(await clearance(id)).toMatchObject({ countedAt: expect.any(Number), isVetoed: false, isGivenBack: false });
    for (let again = 0; again < 2; again++) expect((await giveBack(id)).error).toBeNull();
    expect(await room()).toBe(60n);
    expect(await clearance(id)).toMatchObject({ amount: 60n, isVetoed: true, isGivenBack: true });
    // It is not counted anew, and what goes back may be announced.
    expect((await request(id, 60n)).error).toBeNull();
    expect(await room()).toBe(60n);
    expect((await chain.send(guard, 'announce', [id, keccak256('0x01')], REQUESTER)).error).toBeNull();
    expect((await clearance(id)).isVetoed).toBe(true);
    // A veto has taken nothing of the room before.
    await chain.send(guard, 'veto', [other], WATCHTOWER);
    expect(await room()).toBe(60n);
    expect((await giveBack(other)).error).toBeNull();
    expect(await room()).toBe(100n);
    await chain.pass(3 * DAY_S);
    expect(await room()).toBe(100n);
  });

  test('B-10: gives no room back of a transfer that may have been paid', async () => {
    await newLane(100n);
    const id = anId();
    await request(id, 60n);
    await chain.send(guard, 'announce', [id, keccak256('0x01')], REQUESTER);
    expect((await giveBack(id)).error).toBe('PaymentAnnounced');
    expect(await room()).toBe(40n);
    expect(await clearance(id)).toMatchObject({ isVetoed: false, isGivenBack: false });
  });

  test('B-10: frees nothing that has left its window, and less only where the lane’s limit is less', async () => {
    await newLane(100n);
    const [old, late] = [anId(), anId()];
    await request(old, 100n);
    await chain.pass(DAY_S + 1);
    await request(late, 70n);
    expect((await giveBack(old)).error).toBeNull();
    expect(await room()).toBe(30n);
    await chain.send(guard, 'setLane', [lane, { limit: 50n, challengeFrom: 100n, challengeSeconds: 0n }], ADMIN);
    expect(await room()).toBe(0n);
    expect((await giveBack(late)).error).toBeNull();
    expect(await room()).toBe(50n);
  });

  test('lets transfers be challenged from an amount on, for as long as the lane says', async () => {
    await newLane(1_000n, 50n, 600n);
    const [small, large] = [anId(), anId()];
    await request(small, 49n);
    expect(BigInt((await clearance(small)).clearAt)).toBe(await chain.now());
    await request(large, 50n);
    expect(BigInt((await clearance(large)).clearAt)).toBe((await chain.now()) + 600n);
    // What was counted keeps its challenge.
    const rules = { limit: 1_000n, challengeFrom: 0n, challengeSeconds: 0n };
    const { clearAt } = await clearance(large);
    await chain.send(guard, 'setLane', [lane, rules], ADMIN);
    await request(large, 50n);
    expect((await clearance(large)).clearAt).toBe(clearAt);
    const tooLong = { ...rules, challengeSeconds: BigInt(30 * DAY_S) + 1n };
    expect((await chain.send(guard, 'setLane', [lane, tooLong], ADMIN)).error).toBe('InvalidLane');
  });

  test('says what a lane carries in a day, and which of its transfers are challenged', async () => {
    const read = (of: Hex) => readLane(chain.transport, { address: guard.address, lane: of.slice(2) });
    expect(await read(await newLane(1_000n, 50n, 600n))).toEqual({
      limit: 1_000,
      challenge: { from: 50, seconds: 600 },
    });
    expect(await read(await newLane(1_000n, 1_000n, 600n))).toMatchObject({ challenge: { from: 1_000 } });
    expect(await read(await newLane(1_000n, 0n, 600n))).toMatchObject({ challenge: { from: 0 } });
    // An amount above the limit is never counted, and a challenge of no time is none.
    expect(await read(await newLane(1_000n, 1_001n, 600n))).toEqual({ limit: 1_000, challenge: null });
    expect(await read(await newLane(1_000n, 50n, 0n))).toEqual({ limit: 1_000, challenge: null });
    expect(await read(keccak256(stringToHex('set by nobody')))).toEqual({ limit: 0, challenge: null });
  });

  test('a vetoed transfer stays vetoed; one that was not counted cannot be', async () => {
    await newLane(100n);
    const id = anId();
    expect((await chain.send(guard, 'veto', [id], WATCHTOWER)).error).toBe('NotRequested');
    await request(id, 10n);
    expect((await chain.send(guard, 'veto', [id], WATCHTOWER)).error).toBeNull();
    expect((await chain.send(guard, 'veto', [id], WATCHTOWER)).error).toBeNull();
    await request(id, 10n);
    expect((await clearance(id)).isVetoed).toBe(true);
  });

  test('shows every payment of a transfer that was announced, in order and for good, eight at most', async () => {
    const id = anId();
    const payments = Array.from({ length: 8 }, (_, at) => keccak256(stringToHex(`payment ${at}`)));
    const announce = (payment: Hex) => chain.send(guard, 'announce', [id, payment], REQUESTER);
    for (const payment of payments) {
      expect((await announce(payment)).error).toBeNull();
      expect((await announce(payment)).error).toBeNull();
    }
    expect((await announce(keccak256('0x09'))).error).toBe('TooManyPayments');
    expect((await announce(payments[3] as Hex)).error).toBeNull();
    expect(await chain.read(guard, 'paymentsOf', [id])).toEqual(payments);
    expect(await chain.read(guard, 'paymentsOf', [anId()])).toEqual([]);
  });

  test('stopped by a watchtower it counts nothing and clears nothing, until the admin lets it go on', async () => {
    await newLane(100n);
    const id = anId();
    await request(id, 10n);
    expect((await chain.send(guard, 'pause', [], REQUESTER)).error).toBe('AccessControlUnauthorizedAccount');
    expect((await chain.send(guard, 'pause', [], WATCHTOWER)).error).toBeNull();
    expect((await request(anId(), 10n)).error).toBe('EnforcedPause');
    await expect(clearance(id)).rejects.toThrow('EnforcedPause');
    const of = { address: guard.address, lane: lane.slice(2) };
    await expect(readClearance(chain.transport, of, id.slice(2))).rejects.toThrow();
    expect((await chain.send(guard, 'unpause', [], WATCHTOWER)).error).toBe('AccessControlUnauthorizedAccount');
    expect((await giveBack(id)).error).toBe('EnforcedPause');
    expect((await chain.send(guard, 'unpause', [], ADMIN)).error).toBeNull();
    expect((await clearance(id)).amount).toBe(10n);
  });

  test('is asked by the requester of the bridge, once, and believed of the right lane alone', async () => {
    const wide = await newLane(1_000_000n);
    await newLane(100n);
    const of = { address: guard.address, lane: lane.slice(2) };
    const ask = (id: Hex, amount: number, key: string | null = REQUESTER_KEY) =>
      requestClearance(chain.transport, key, of, { commitment: id.slice(2), amount });
    const id = anId();
    expect(await readClearance(chain.transport, of, id.slice(2))).toBeNull();
    expect(await ask(id, 70)).toBe('cleared');
    expect(await ask(id, 70, null)).toBe('cleared');
    const seen = await readClearance(chain.transport, of, id.slice(2));
    expect(seen).toMatchObject({ amount: 70, isVetoed: false });
    expect(seen?.clearAt).toBe((await clearance(id)).clearAt * 1_000);
    expect(await ask(anId(), 31)).toBe('over_limit');
    const stranger = `0x${Buffer.from(STRANGER.getHdKey().privateKey ?? []).toString('hex')}`;
    await expect(ask(anId(), 1, stranger)).rejects.toThrow();
    // Whoever carries transfers on may ask for room where there is more: signers must not take that for the transfer's.
    const elsewhere = anId();
    expect((await request(elsewhere, 5_000n, wide)).error).toBeNull();
    await expect(readClearance(chain.transport, of, elsewhere.slice(2))).rejects.toThrow('another lane');
  });

  test('is over no limit whose room another try of the same transfer has taken meanwhile', async () => {
    await newLane(100n);
    const of = { address: guard.address, lane: lane.slice(2) };
    const id = anId();
    let calls = 0;
    const transport: ChainTransport = {
      ...chain.transport,
      async rpc(method, params) {
        // The other try is counted after this one has read that nothing is.
        if (method === 'eth_call' && ++calls === 2) await request(id, 70n);
        return chain.transport.rpc(method, params);
      },
    };
    expect(await requestClearance(transport, null, of, { commitment: id.slice(2), amount: 70 })).toBe('cleared');
    expect(calls).toBeGreaterThan(2);
  });

  test('B-10: is had give room back by the requester of the bridge, where nothing is announced', async () => {
    const of = { address: guard.address, lane: (await newLane(100n)).slice(2) };
    const back = (id: Hex, key: string | null = REQUESTER_KEY) => giveBackRoom(chain.transport, key, of, id.slice(2));
    const [id, paid] = [anId(), anId()];
    expect(await back(id)).toBe(false);
    await request(id, 60n);
    await request(paid, 40n);
    expect(await back(id)).toBe(true);
    // Without another transaction.
    expect(await back(id, null)).toBe(true);
    expect(await readClearance(chain.transport, of, id.slice(2))).toMatchObject({ amount: 60, isVetoed: true });
    await chain.send(guard, 'announce', [paid, keccak256('0x01')], REQUESTER);
    expect(await back(paid, null)).toBe(false);
    expect(await room()).toBe(60n);
  });

  test('counts many that are asked for at the same moment, whose relayer is one', async () => {
    const of = { address: guard.address, lane: (await newLane(1_000n)).slice(2) };
    const ids = Array.from({ length: 8 }, () => anId().slice(2));
    /** Asks again, as transfers do, where the chain takes longer than one call waits for it. */
    async function cleared(commitment: string): Promise<string> {
      for (;;)
        try {
          return await requestClearance(chain.transport, REQUESTER_KEY, of, { commitment, amount: 10 });
        } catch (error) {
          if (!/not counted the transfer yet|nonce too low|underpriced/i.test(String(error))) throw error;
        }
    }
    expect(await Promise.all(ids.map(cleared))).toEqual(ids.map(() => 'cleared'));
    expect(await chain.read(guard, 'room', [lane])).toBe(920n);
  });
});
