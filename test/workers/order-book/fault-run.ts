import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import { runAudit } from '../../../data/audit/run-audit.ts';
import type { Database } from '../../../data/database.ts';
import type { BookCommand, BookResult } from '../../../durable-objects/order-book/api.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { createTrader } from '../fixtures/create-trader.ts';
import { giveBalance, giveHolding } from '../fixtures/give-balance.ts';
import { cancel, place } from './book-commands.ts';
import { clearFaults, type D1Fate, type FaultPlan, faults, landLateRequests } from './faults.ts';

const TRADERS = 4;
const CASH = 50_000;
const SHARES = 60;
const TRIES_MAX = 200;

/** Small, seeded and good enough to draw faults from (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Kills and D1 faults drawn from a seed, at most `faultsMax` of them, so that every run comes to an end. */
export function randomFaults(seed: number, faultsMax: number): FaultPlan {
  const draw = random(seed);
  let left = faultsMax;
  const fates: D1Fate[] = ['request_lost', 'answer_lost', 'lands_late', 'slow'];
  return {
    kills: () => {
      if (left === 0 || draw() > 0.06) return false;
      left -= 1;
      return true;
    },
    d1: () => {
      if (left === 0 || draw() > 0.15) return 'through';
      left -= 1;
      return fates[Math.floor(draw() * fates.length)] ?? 'through';
    },
  };
}

/** Sends commands as order entry does: a lost object is asked again, with the same ids, on a fresh stub. */
export async function send(symbol: string, commands: BookCommand[]): Promise<BookResult[]> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      return await env.ORDER_BOOK.getByName(symbol).submit(commands);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  throw new Error('the book did not come back');
}

export interface FaultRunFigures {
  readonly orders: number;
  readonly trades: number;
}

/**
 * One seeded run: users trade on two books that share their accounts while books are killed and D1 requests go astray; then the faults
 * end, the books drain, and everything must be right.
 */
export async function faultRun(db: Database, seed: number, operations: number): Promise<FaultRunFigures> {
  const draw = random(seed);
  const name = `S${seed}`;
  const assets = [`${name}A`, `${name}B`];
  const fees = { makerFeeBps: Math.floor(draw() * 20), takerFeeBps: Math.floor(draw() * 40) };
  await createPair(db, assets[0] ?? '', { market: fees });
  await createPair(db, assets[1] ?? '', {
    asset: { tracksLots: false, category: 'crypto', rail: 'digital' },
    market: fees,
  });
  const books = assets.map((asset) => `${asset}-USD`);
  const traders: string[] = [];
  for (let i = 0; i < TRADERS; i++) {
    const { accountId } = await createTrader(db, { cash: CASH });
    traders.push(accountId);
    await giveHolding(db, {
      accountId,
      asset: (assets[0] ?? '').toLowerCase(),
      lots: [{ quantity: SHARES / 2 }, { quantity: SHARES / 2 }],
    });
    await giveBalance(db, { accountId, asset: (assets[1] ?? '').toLowerCase(), amount: SHARES });
  }

  faults.plan = randomFaults(seed * 7919 + 1, 12);
  const answers = new Map<string, BookResult>();
  const placed: { orderId: string; account: string; book: string }[] = [];
  const jobs: Promise<void>[] = [];
  for (let i = 0; i < operations; i++) {
    const account = traders[Math.floor(draw() * TRADERS)] ?? '';
    const book = books[Math.floor(draw() * 2)] ?? '';
    const earlier = placed[Math.floor(draw() * placed.length)];
    const kind = draw();
    let commands: BookCommand[];
    if (kind < 0.7 || earlier === undefined) {
      const side = draw() < 0.5 ? 'buy' : 'sell';
      const price = draw() < 0.1 ? null : 95_0 + Math.floor(draw() * 10) * 10;
      const timeInForce = price === null ? 'IOC' : draw() < 0.8 ? 'GTC' : draw() < 0.5 ? 'FOK' : 'POST_ONLY';
      const order = place(account, side, 1 + Math.floor(draw() * 15), price, { timeInForce });
      placed.push({ orderId: order.orderId, account, book });
      commands = [order];
    } else if (kind < 0.85) {
      commands = [cancel(earlier.account, earlier.orderId)];
    } else {
      commands = [
        {
          type: 'amend',
          amendmentId: uuidv7(),
          checkedOver: null,
          orderId: earlier.orderId,
          account: earlier.account,
          quantity: 1 + Math.floor(draw() * 20),
          price: draw() < 0.5 ? null : 95_0 + Math.floor(draw() * 10) * 10,
          unfilledOnly: draw() < 0.5,
          factsVersion: 1,
          rulesVersion: 1,
        },
      ];
    }
    const target = commands[0]?.type === 'place' ? book : (earlier?.book ?? book);
    const once = async (): Promise<void> => {
      const [result] = await send(target, commands);
      if (result !== undefined && commands[0]?.type === 'place') answers.set(commands[0].orderId, result);
    };
    jobs.push(once());
    if (draw() < 0.15) jobs.push(once());
    if (draw() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.floor(draw() * 4)));
    if (draw() < 0.1) await landLateRequests();
  }
  await Promise.all(jobs);
  clearFaults();
  await landLateRequests();

  for (const book of books) {
    const status = await env.ORDER_BOOK.getByName(book).status();
    expect(status.halted).toBeNull();
    expect(await env.ORDER_BOOK.getByName(book).settled()).toBe(true);
  }
  await assertLedgerIsRight(db);
  await assertAnswersWereKept(answers);
  const count = await env.DB.prepare('SELECT count(*) AS n FROM trades WHERE book IN (?1, ?2)')
    .bind(...books)
    .first<{ n: number }>();
  return { orders: placed.length, trades: count?.n ?? 0 };
}

export async function assertLedgerIsRight(db: Database): Promise<void> {
  const broken = (await runAudit(db)).filter((row) => !row.holds);
  expect(broken).toEqual([]);
}

/** No acknowledged order is missing, no refused one ever executed, and one answered `unavailable` never matched. */
async function assertAnswersWereKept(answers: Map<string, BookResult>): Promise<void> {
  const { results } = await env.DB.prepare(
    'SELECT id, status, filled, code FROM orders WHERE id IN (SELECT value FROM json_each(?1))',
  )
    .bind(JSON.stringify([...answers.keys()]))
    .all<{ id: string; status: string; filled: number; code: string | null }>();
  const rows = new Map(results.map((row) => [row.id, row]));
  for (const [orderId, answer] of answers) {
    const row = rows.get(orderId);
    switch (answer.type) {
      case 'done':
        expect(row, `acknowledged order ${orderId} is in the ledger`).toBeDefined();
        expect(row?.filled, `order ${orderId} kept its fills`).toBeGreaterThanOrEqual(answer.report.filled);
        expect(row?.code, `acknowledged order ${orderId} was not released`).not.toBe('UNAVAILABLE');
        break;
      case 'refused':
      case 'unavailable':
        expect(row?.filled ?? 0, `order ${orderId} was answered ${answer.type}`).toBe(0);
        expect(['rejected', undefined]).toContain(row?.status);
        break;
      case 'mass_cancelled':
        break;
    }
  }
}
