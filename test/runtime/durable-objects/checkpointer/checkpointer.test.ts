import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { receiptOf } from '../../../../application/finality/receipt-of.ts';
import type { Database } from '../../../../data/database.ts';
import { findTradeOf } from '../../../../data/settlements/settled-trades.ts';
import blsModule from '../../../../domain/consensus/checkpoints/bls.wasm';
import { wasmBls } from '../../../../domain/consensus/checkpoints/bls-wasm.ts';
import {
  type Checkpoint,
  checkpointFault,
  checkpointHash,
} from '../../../../domain/consensus/checkpoints/checkpoint.ts';
import { nobleMlDsa } from '../../../../domain/consensus/checkpoints/ml-dsa-noble.ts';
import { QUORUM } from '../../../../domain/consensus/committee.ts';
import { verifyEd25519 } from '../../../../domain/consensus/ed25519.ts';
import { receiptFinality } from '../../../../domain/consensus/receipt.ts';
import { checkpointerOf } from '../../../../durable-objects/checkpointer/api.ts';
import { sequencerOf } from '../../../../durable-objects/sequencer/api.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { checkpointerFaults, clearCheckpointerFaults } from '../../fixtures/faulty-checkpointer.ts';
import { sequencerFaults } from '../../fixtures/faulty-sequencer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { onlySkipTime, skipTime } from '../../fixtures/skip-time.ts';

const crypto = { bls: wasmBls(blsModule), mlDsa: nobleMlDsa };
let db: Database;
let traders: BuyerAndSeller;
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  traders = await createBuyerAndSeller(db, 'CHK');
  symbol = await traders.freshPair();
});

afterEach(() => {
  clearCheckpointerFaults();
  Object.assign(sequencerFaults, { epoch: null });
});

const checkpointer = () => checkpointerOf(env);
const place = () => env.CHECKPOINTER.getByName('checkpointer');

/** One share changes hands, and its block is final; the trade's id. */
async function finalTrade(): Promise<string> {
  const order = { symbol, type: 'limit', size: 1, price: 10, time_in_force: 'GTC' };
  expect((await traders.seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBe(200);
  expect((await traders.buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBe(200);
  await settle(symbol);
  await sequencerOf(env).wake();
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

/** What the buyer's receipt of a trade proves. */
async function proved(id: string) {
  const settled = await findTradeOf(db, traders.buyer.accountId, id);
  if (settled === null) throw new Error(`no trade ${id}`);
  const receipt = await receiptOf(env, settled, ['buyer']);
  if (receipt === null) throw new Error(`trade ${id} is not final`);
  return receiptFinality(receipt, verifyEd25519, crypto);
}

const stateOf = async (id: string) => (await sequencerOf(env).finalities([id]))[0]?.state;

/** As time and its alarm do, an object at a time that may be killed. */
async function ring(): Promise<void> {
  skipTime(10_000);
  await runDurableObjectAlarm(place()).catch(() => false);
}

/** All that are certified; each follows the one before, to the last final block. */
async function wholeChain(): Promise<Checkpoint[]> {
  const all: Checkpoint[] = [];
  for (;;) {
    const page = await checkpointer().checkpoints(all.length);
    if (page.length === 0) break;
    all.push(...page);
  }
  for (const [at, checkpoint] of all.entries()) expect(checkpointFault(checkpoint, all[at - 1] ?? null)).toBeNull();
  const { finalHeight } = await sequencerOf(env).status();
  expect(all.at(-1)?.lastHeight).toBe(finalHeight);
  return all;
}

describe('the checkpointer', () => {
  test('has what is final signed as one by its alarm: trades are checkpoint_final, and their receipts prove it', async () => {
    checkpointerFaults.isOn = true;
    const ids = [await finalTrade(), await finalTrade()];
    expect(await Promise.all(ids.map(stateOf))).toEqual(['final', 'final']);
    await ring();
    expect(await Promise.all(ids.map(stateOf))).toEqual(['checkpoint_final', 'checkpoint_final']);
    for (const id of ids) expect(await proved(id)).toEqual({ ok: true, value: 'checkpoint_final' });
    const [only, ...others] = await wholeChain();
    expect(others).toEqual([]);
    expect(await checkpointer().status()).toEqual({ number: 1, lastHeight: only?.lastHeight, waitsFor: null });
    expect((await sequencerOf(env).status()).checkpointHeight).toBe(only?.lastHeight);
  });

  test('makes one at once for whoever asks for a receipt, and none for the next until two seconds have passed', async () => {
    const { number } = await checkpointer().status();
    checkpointerFaults.isOn = true;
    onlySkipTime();
    skipTime(2_000);
    expect(await proved(await finalTrade())).toEqual({ ok: true, value: 'checkpoint_final' });
    const next = await finalTrade();
    expect(await proved(next)).toEqual({ ok: true, value: 'final' });
    expect((await checkpointer().status()).number).toBe(number + 1);
    skipTime(2_000);
    expect(await proved(next)).toEqual({ ok: true, value: 'checkpoint_final' });
    await wholeChain();
  });

  test('an alarm that rings early makes none before its time, and is set for it', async () => {
    checkpointerFaults.isOn = true;
    onlySkipTime();
    await finalTrade();
    await ring();
    const id = await finalTrade();
    await runDurableObjectAlarm(place());
    expect(await stateOf(id)).toBe('final');
    const alarm = await runInDurableObject(place(), (_, { storage }) => storage.getAlarm());
    expect(alarm).toBeGreaterThan(Date.now());
    await ring();
    expect(await stateOf(id)).toBe('checkpoint_final');
  });

  test.each(['before_propose', 'before_sign', 'before_archive', 'before_certify', 'after_certify'] as const)(
    'killed %s it goes on by its alarm with what it has begun',
    async (point) => {
      checkpointerFaults.isOn = true;
      const first = await finalTrade();
      const { number } = await checkpointer().status();
      checkpointerFaults.kills = [point];
      await ring();
      expect(checkpointerFaults.kills).toEqual([]);
      const second = await finalTrade();
      await ring();
      await ring();
      await ring();
      for (const id of [first, second]) {
        expect(await stateOf(id)).toBe('checkpoint_final');
        expect(await proved(id)).toEqual({ ok: true, value: 'checkpoint_final' });
      }
      const all = await wholeChain();
      // What was on disk when it was killed is a checkpoint of its own. Before the bucket is asked, nothing has to be.
      const made = all.length - number;
      expect(made).toBeLessThanOrEqual(2);
      if (point === 'before_certify' || point === 'after_certify') expect(made).toBe(2);
    },
  );

  test('where the sequencer could not be told, the next alarm tells it', async () => {
    checkpointerFaults.isOn = true;
    const id = await finalTrade();
    checkpointerFaults.isSequencerDeaf = true;
    await ring();
    expect(await stateOf(id)).toBe('final');
    checkpointerFaults.isSequencerDeaf = false;
    await ring();
    expect(await stateOf(id)).toBe('checkpoint_final');
  });

  test('four members may be away; with five it waits, with the same checkpoint', async () => {
    checkpointerFaults.isOn = true;
    const id = await finalTrade();
    checkpointerFaults.away = 5;
    await ring();
    const { number, waitsFor } = await checkpointer().status();
    expect(waitsFor).toBe(`checkpoint ${number + 1} has not enough signatures`);
    expect(await proved(id)).toEqual({ ok: true, value: 'final' });
    const open = await runInDurableObject(place(), (_, { storage: { sql } }) =>
      sql.exec<{ checkpoint: string }>('SELECT checkpoint FROM checkpoints WHERE certified_at IS NULL').one(),
    );
    await finalTrade();
    checkpointerFaults.away = 4;
    await ring();
    expect(await stateOf(id)).toBe('checkpoint_final');
    const [made] = await checkpointer().checkpoints(number);
    expect(made === undefined ? '' : checkpointHash(made)).toBe(checkpointHash(JSON.parse(open.checkpoint)));
    const signers = await runInDurableObject(place(), (_, { storage: { sql } }) =>
      sql.exec<{ n: number }>('SELECT count(*) AS n FROM signed WHERE number = ?', number + 1).one(),
    );
    expect(signers.n).toBe(QUORUM);
    await ring();
    await wholeChain();
  });

  test('what fails is tried again by itself after a pause that grows, however many blocks become final meanwhile', async () => {
    checkpointerFaults.isOn = true;
    await finalTrade();
    await ring();
    await finalTrade();
    checkpointerFaults.away = 5;
    onlySkipTime();
    const pause_ms = async () => {
      const at = await runInDurableObject(place(), (_, { storage }) => storage.getAlarm());
      return (at ?? 0) - Date.now();
    };
    // So that no alarm rings by itself before the test has it ring.
    skipTime(3_600_000);
    const pauses: number[] = [];
    for (let rings = 0; rings < 8; rings++) {
      await runDurableObjectAlarm(place());
      await checkpointer().wake();
      pauses.push(await pause_ms());
      skipTime(pauses.at(-1) ?? 0);
    }
    expect(pauses.map((ms) => ms / 1_000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    checkpointerFaults.away = 0;
    await ring();
    await wholeChain();
    await finalTrade();
    checkpointerFaults.away = 5;
    await ring();
    expect(await pause_ms()).toBe(5_000);
    checkpointerFaults.away = 0;
    await ring();
    await wholeChain();
  });

  test('readers of receipts have what fails tried once in two seconds, too', async () => {
    checkpointerFaults.isOn = true;
    const id = await finalTrade();
    checkpointerFaults.away = 5;
    onlySkipTime();
    skipTime(2_000);
    checkpointerFaults.proposals = 0;
    for (let readings = 0; readings < 5; readings++) expect(await proved(id)).toEqual({ ok: true, value: 'final' });
    expect(checkpointerFaults.proposals).toBe(1);
    checkpointerFaults.away = 0;
    skipTime(2_000);
    expect(await proved(id)).toEqual({ ok: true, value: 'checkpoint_final' });
  });

  test('what becomes final while a reader has a checkpoint made stands in the next one, ten seconds later', async () => {
    checkpointerFaults.isOn = true;
    const first = await finalTrade();
    skipTime(2_000);
    checkpointerFaults.isHeld = true;
    checkpointerFaults.proposals = 0;
    const reading = proved(first);
    await expect.poll(() => checkpointerFaults.proposals).toBe(1);
    const second = await finalTrade();
    // The alarm that its block has set rings meanwhile.
    const ringing = runDurableObjectAlarm(place());
    await new Promise((resolve) => setTimeout(resolve, 50));
    checkpointerFaults.isHeld = false;
    await Promise.all([reading, ringing]);
    await expect.poll(() => stateOf(first)).toBe('checkpoint_final');
    expect(await stateOf(second)).toBe('final');
    await ring();
    expect(await stateOf(second)).toBe('checkpoint_final');
  });

  test('a clock that was wrong when the last one was certified keeps back none', async () => {
    checkpointerFaults.isOn = true;
    await finalTrade();
    await ring();
    await runInDurableObject(place(), async (_, ctx) => {
      const tomorrow = Date.now() + 86_400_000;
      ctx.storage.sql.exec(
        'UPDATE checkpoints SET certified_at = ? WHERE number = (SELECT max(number) FROM checkpoints)',
        tomorrow,
      );
      await ctx.storage.sync();
      ctx.abort('killed by a test');
    }).catch(() => undefined);
    const id = await finalTrade();
    await ring();
    expect(await stateOf(id)).toBe('checkpoint_final');
  });

  test('while the bucket of certificates is away nothing is called checkpoint_final', async () => {
    checkpointerFaults.isOn = true;
    const id = await finalTrade();
    checkpointerFaults.isBucketAway = true;
    await ring();
    expect((await checkpointer().status()).waitsFor).toBe('the bucket is away');
    expect(await stateOf(id)).toBe('final');
    expect(await proved(id)).toEqual({ ok: true, value: 'final' });
    checkpointerFaults.isBucketAway = false;
    await ring();
    expect(await proved(id)).toEqual({ ok: true, value: 'checkpoint_final' });
  });

  test('a certificate that the bucket has lost leaves a receipt that proves the trade final', async () => {
    checkpointerFaults.isOn = true;
    const id = await finalTrade();
    await ring();
    const { number } = await checkpointer().status();
    await env.CHECKPOINTS.delete(`${number}.json`);
    expect(await proved(id)).toEqual({ ok: true, value: 'final' });
  });

  test('blocks of two epochs stand in two checkpoints, each with the keys of its committee', async () => {
    checkpointerFaults.isOn = true;
    const before = await finalTrade();
    sequencerFaults.epoch = 2;
    const after = await finalTrade();
    await ring();
    expect([await stateOf(before), await stateOf(after)]).toEqual(['checkpoint_final', 'final']);
    await ring();
    for (const id of [before, after]) expect(await proved(id)).toEqual({ ok: true, value: 'checkpoint_final' });
    const [one, other] = (await wholeChain()).slice(-2);
    expect(one?.keys).not.toBe(other?.keys);
  });
});
