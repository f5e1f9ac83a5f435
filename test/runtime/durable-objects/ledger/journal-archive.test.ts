import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { JournalBroken, type StoredRow, sha256 } from '../../../../domain/ledger/journal-chain.ts';
import { ledgerAsOf } from '../../../../domain/ledger/journal-replay.ts';
import { segmentKey, segmentText } from '../../../../domain/ledger/journal-segment.ts';
import { journalRows } from '../../../../domain/ledger/journal-source.ts';
import type { SealPoint } from '../../../../durable-objects/ledger/journal-archive.ts';
import type { LedgerSettings } from '../../../../durable-objects/ledger/ledger-settings.ts';
import { random } from '../../fixtures/fault-run.ts';
import { clearLedgerFaults, type D1Fate, landLateRequests, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import {
  ask,
  cancelled,
  deposit,
  inStorage,
  ledgerNamed,
  order,
  restart,
  sourceOf,
  TestBook,
} from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

beforeAll(async () => {
  await migrate();
});
afterEach(clearLedgerFaults);

const QUICK: Partial<LedgerSettings> = {
  alarmAfter_ms: 5,
  sealRetry_ms_min: 2,
  sealRetry_ms_max: 10,
  projectRest_ms: 1,
};

/** The first row of a ledger is its own: it goes by the rules of its code. */
const OWN_ROWS = 1;

async function depositTimes(shard: string, account: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
}

async function sealed(shard: string): Promise<number> {
  return (await ask(shard, (ledger) => ledger.status())).sealed;
}

async function objectsOf(shard: string): Promise<R2Object[]> {
  const { objects } = await env.LEDGER_JOURNAL.list({ prefix: `${shard}/`, include: ['customMetadata'] });
  return objects;
}

function keptRows(shard: string): Promise<number> {
  return inStorage(shard, ({ sql }) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM journal').one().n);
}

async function allRows(shard: string): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const row of journalRows(sourceOf(shard))) rows.push(row);
  return rows;
}

async function rewrite(key: string, change: (text: string) => string): Promise<void> {
  const text = (await (await env.LEDGER_JOURNAL.get(key))?.text()) ?? '';
  const changed = change(text);
  expect(changed).not.toBe(text);
  await env.LEDGER_JOURNAL.put(key, changed);
}

describe('sealing', () => {
  it.each([1, 2, 3])(
    'brings every row into one segment, each continuing the one before, with requests and answers lost, late and doubled, and kills: seed %s',
    async (seed) => {
      const shard = `ledger:seal-${seed}`;
      const draw = random(seed);
      const fates: D1Fate[] = ['request_lost', 'answer_lost', 'lands_late', 'doubled'];
      let left = 25;
      const unlucky = (chance: number): boolean => {
        if (left === 0 || draw() > chance) return false;
        left -= 1;
        return true;
      };
      planLedgerFaults({
        kills: (point) => point.endsWith('_seal') && unlucky(0.2),
        r2: () => (unlucky(0.6) ? (fates[Math.floor(draw() * fates.length)] ?? 'through') : 'through'),
        settings: { ...QUICK, segmentRows: 4, segmentBytes: 1_500, checkpointRows: 5 },
      });
      await depositTimes(shard, uuidv7(), 40);
      await expect.poll(() => sealed(shard)).toBeGreaterThan(36);
      expect(left, 'the faults took place').toBeLessThan(15);
      await landLateRequests();
      expect(await ask(shard, (ledger) => ledger.projected())).toBe(true);
      // One may be uploaded and not noted yet.
      const uploaded = async () => Number((await objectsOf(shard)).at(-1)?.customMetadata?.last ?? 0);
      await expect.poll(async () => (await uploaded()) - (await sealed(shard))).toBe(0);

      let end = { last: 0, hash: '' };
      for (const { customMetadata } of await objectsOf(shard)) {
        const { first, last, previousHash, hash } = customMetadata ?? {};
        expect({ first, previousHash }).toEqual({ first: String(end.last + 1), previousHash: end.hash });
        end = { last: Number(last), hash: hash ?? '' };
      }
      expect(end.last).toBe(await sealed(shard));
      const { ledger, seq } = await ledgerAsOf(await allRows(shard), Number.POSITIVE_INFINITY);
      const { stateHash, journaled } = await ledgerNamed(shard).stateHash();
      expect({ stateHash: ledger.stateHash(), seq }).toEqual({ stateHash, seq: journaled });
      expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
    },
  );

  it.each<SealPoint>(['before_seal', 'after_seal'])(
    'killed %s, uploads the same segment again, and an alarm makes it go on',
    async (point) => {
      const shard = `ledger:${point}`;
      let kills = 0;
      let isLookedAt = false;
      // An alarm soon makes it try again: it gets no further until the bucket has been looked at.
      planLedgerFaults({
        kills: (at) => at === point && !isLookedAt && ++kills > 0,
        settings: { ...QUICK, segmentRows: 4 },
      });
      const account = uuidv7();
      await depositTimes(shard, account, 4);
      await expect.poll(() => kills).toBeGreaterThan(0);
      const before = (await objectsOf(shard)).map(({ etag, uploaded }) => ({ etag, uploaded }));
      expect(before).toHaveLength(point === 'after_seal' ? 1 : 0);
      isLookedAt = true;
      await depositTimes(shard, account, 2);
      await expect.poll(() => sealed(shard)).toBe(4);
      const after = await objectsOf(shard);
      expect(after.map(({ key }) => key)).toEqual([segmentKey(shard, { first: 1, last: 4 })]);
      if (point === 'after_seal')
        expect(
          after.map(({ etag, uploaded }) => ({ etag, uploaded })),
          'it was not written twice',
        ).toEqual(before);
    },
  );

  it('waits for rows to come together, and no longer than the bound', async () => {
    const shard = 'ledger:light';
    planLedgerFaults({ settings: { ...QUICK, sealAfter_ms: HOUR_MS } });
    await depositTimes(shard, uuidv7(), 5);
    const ring = () => runDurableObjectAlarm(env.LEDGER.getByName(shard)).catch(() => false);
    await ring();
    expect(await objectsOf(shard)).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
    await ring();
    await expect.poll(() => sealed(shard)).toBe(5 + OWN_ROWS);
    vi.useRealTimers();
    expect(await objectsOf(shard)).toHaveLength(1);
  });

  it('never overwrites what R2 has under its key', async () => {
    const shard = 'ledger:occupied';
    const key = segmentKey(shard, { first: 1, last: 3 });
    await env.LEDGER_JOURNAL.put(key, 'of another ledger');
    planLedgerFaults({ settings: { ...QUICK, segmentRows: 3, checkpointRows: 2 } });
    await depositTimes(shard, uuidv7(), 6);
    expect(await ask(shard, (ledger) => ledger.projected())).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await (await env.LEDGER_JOURNAL.get(key))?.text()).toBe('of another ledger');
    expect(await ledgerNamed(shard).status()).toMatchObject({ journaled: 6 + OWN_ROWS, sealed: 0, halted: null });
    expect(await keptRows(shard)).toBe(6 + OWN_ROWS);
  });
});

describe('while R2 is away', () => {
  it('no row is pruned, the ledger goes on, and nothing new is admitted beyond the bound', async () => {
    const shard = 'ledger:no-r2';
    const account = uuidv7();
    const settings = { ...QUICK, segmentRows: 2, checkpointRows: 3, unsealedBytesMax: 6_000 };
    planLedgerFaults({ r2: () => 'away', settings });
    await depositTimes(shard, account, 8);
    const book = await new TestBook(shard, 'ACME-USD').takeOver();
    const admitted = order(account, 2);
    expect(await book.send(book.compose([admitted]))).toMatchObject({ type: 'landed', refused: [] });
    await restart(shard);
    expect(await ask(shard, (ledger) => ledger.projected())).toBe(true);
    const journaled = 10 + OWN_ROWS;
    expect(await ledgerNamed(shard).status()).toMatchObject({
      journaled,
      projected: journaled,
      sealed: 0,
      halted: null,
    });
    expect(await keptRows(shard)).toBe(journaled);

    await depositTimes(shard, account, 8);
    expect(await book.send(book.compose([order(account, 2)]))).toMatchObject({ refused: [{ refusal: 'backlog' }] });
    expect(await book.send(book.compose([], [cancelled(admitted)]))).toMatchObject({ type: 'landed' });

    planLedgerFaults({ settings });
    await expect.poll(() => sealed(shard)).toBeGreaterThan(17);
    await depositTimes(shard, account, 4);
    await expect.poll(() => keptRows(shard)).toBeLessThan(8);
    expect(await book.send(book.compose([order(account, 2)]))).toMatchObject({ type: 'landed', refused: [] });
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  });
});

describe('replay from the first row', () => {
  it('as of a moment gives the ledger of that moment, from segments and from rows that are not sealed', async () => {
    const shard = 'ledger:as-of';
    planLedgerFaults({ settings: { ...QUICK, segmentRows: 4, checkpointRows: 6 } });
    const account = uuidv7();
    const moments: { readonly time: number; readonly stateHash: string; readonly available: number }[] = [];
    for (let i = 0; i < 22; i++) {
      await depositTimes(shard, account, 1);
      const { stateHash } = await ledgerNamed(shard).stateHash();
      const [balance] = await ledgerNamed(shard).balances(account);
      moments.push({ time: Date.now(), stateHash, available: balance?.available ?? 0 });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await expect.poll(() => sealed(shard)).toBe(20);
    await expect.poll(() => keptRows(shard)).toBeLessThan(10);

    const rows = await allRows(shard);
    for (const { time, stateHash, available } of moments) {
      const { ledger } = await ledgerAsOf(rows, time);
      expect(ledger.stateHash()).toBe(stateHash);
      expect([...ledger.allBalances()].find((balance) => balance.account === account)).toMatchObject({ available });
      expect(ledger.violations()).toEqual([]);
    }
  });

  /** Six rows in two segments, none of them in the object any more. */
  async function sealedShard(shard: string): Promise<[first: string, second: string]> {
    planLedgerFaults({ settings: { ...QUICK, segmentRows: 3, checkpointRows: 3 } });
    await depositTimes(shard, uuidv7(), 6 - OWN_ROWS);
    await expect.poll(() => sealed(shard)).toBe(6);
    await expect.poll(() => keptRows(shard)).toBe(0);
    return [segmentKey(shard, { first: 1, last: 3 }), segmentKey(shard, { first: 4, last: 6 })];
  }

  it('refuses a segment in which a row was changed', async () => {
    const [, second] = await sealedShard('ledger:tampered');
    await rewrite(second, (text) => text.replace('"amount":1', '"amount":2'));
    await expect(allRows('ledger:tampered')).rejects.toThrow(
      new JournalBroken('segment 4 to 6: journal row 4 does not continue the chain'),
    );
  });

  it('refuses a segment whose hashes were made to fit', async () => {
    const [, second] = await sealedShard('ledger:forged');
    const rows = await allRows('ledger:forged');
    let hash = rows[2]?.hash ?? '';
    const forged = rows.slice(3).map((row) => {
      const text = row.text.replace('"amount":1', '"amount":2');
      hash = sha256(hash, text);
      return { ...row, text, hash };
    });
    await rewrite(second, () => segmentText(forged));
    await expect(allRows('ledger:forged')).rejects.toThrow('segment 4 to 6: it is not what was sealed');
  });

  it('refuses a segment that lacks rows, and misses one that is gone', async () => {
    const [first, second] = await sealedShard('ledger:lacking');
    await rewrite(second, (text) => text.split('\n').slice(0, -3).concat('').join('\n'));
    await expect(allRows('ledger:lacking')).rejects.toThrow('segment 4 to 6: it ends with row 5');
    await env.LEDGER_JOURNAL.delete(first);
    await expect(allRows('ledger:lacking')).rejects.toThrow(`segment ${first} is missing`);
  });
});
