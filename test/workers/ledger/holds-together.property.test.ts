import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { createAsset } from '../../../data/assets.ts';
import { runAudit } from '../../../data/audit/run-audit.ts';
import type { Database } from '../../../data/database.ts';
import { createApiKey, revokeApiKey } from '../../../data/identity/api-keys.ts';
import { type BookLedger, d1BookLedger } from '../../../data/ledger/book-ledger.ts';
import type { OrderRow, RefusedRow } from '../../../data/ledger/rows.ts';
import { USD } from '../fixtures/create-currency.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { createTrader } from '../fixtures/create-trader.ts';
import { giveBalance } from '../fixtures/give-balance.ts';
import { migrate } from '../fixtures/migrate.ts';

const RUNS = 15;
const ACCOUNTS = 4;
const ALLOWANCE = 'allowance:twin';
const POSITION = 'position:twin';
const CASH = 10_000;
const SHARES = 100;

const order = fc.record({
  account: fc.integer({ min: 0, max: ACCOUNTS - 1 }),
  side: fc.constantFrom('buy', 'sell'),
  /** Of an account that can pay for some of its orders: most batches have accounts of both kinds. */
  cash: fc.integer({ min: 0, max: 2_500 }),
  shares: fc.integer({ min: 1, max: 40 }),
  allowance: fc.option(fc.integer({ min: 0, max: 3_000 }), { freq: 2 }),
  position: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 2 }),
  facts: fc.constantFrom(1, 1, 1, 1, 1, 2),
  rules: fc.constantFrom(1, 1, 1, 1, 1, 2),
  key: fc.constantFrom('none', 'none', 'active', 'revoked'),
  /** A small pool, so that some come twice. */
  clientOrderId: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 2 }),
  refusedByTheBook: fc.constantFrom(false, false, false, false, true),
});
type Asked = typeof order extends fc.Arbitrary<infer T> ? T : never;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  for (const id of [ALLOWANCE, POSITION]) {
    await createAsset(db, { id, symbol: id.toUpperCase(), name: id, category: 'allowance', scale: 2, createdAt: 0 });
  }
});

/** One of two books that are asked the same, each with accounts of its own. */
class Twin {
  readonly #ledger: BookLedger;
  readonly #symbol: string;
  readonly #accounts: { account: string; active: string; revoked: string }[] = [];
  readonly #ids: string[] = [];
  #batch = 0;

  constructor(symbol: string, togetherFrom: number) {
    this.#symbol = symbol;
    this.#ledger = d1BookLedger(env.DB, togetherFrom);
  }

  async open(): Promise<void> {
    await createPair(db, this.#symbol, { asset: { tracksLots: false } });
    await this.#ledger.takeOwnership(this.#book, 'twin', 0);
    for (let i = 0; i < ACCOUNTS; i++) {
      // The last one has no cash and no shares, not even a row for them.
      const { accountId, userId, owner } = await createTrader(db, { cash: i === ACCOUNTS - 1 ? 0 : CASH * (i + 1) });
      if (i < ACCOUNTS - 1) await giveBalance(db, { accountId, asset: this.#asset, amount: SHARES * (i + 1) });
      for (const asset of [ALLOWANCE, POSITION]) await giveBalance(db, { accountId, asset, amount: 5_000 });
      const keys = { active: uuidv7(), revoked: uuidv7() };
      for (const id of Object.values(keys)) {
        const terms = {
          scopes: ['trade' as const],
          ipAllowlist: null,
          rateLimits: null,
          positionLimits: null,
          dailyLossMax: null,
        };
        await createApiKey(
          db,
          { id, account: accountId, userId, owner, name: 'twin', createdAt: 0, ...terms },
          'sealed',
        );
      }
      await revokeApiKey(db, keys.revoked, 0);
      this.#accounts.push({ account: accountId, ...keys });
    }
  }

  async freeze(index: number): Promise<void> {
    const { account } = this.#accounts[index]!;
    await env.DB.prepare('UPDATE accounts SET frozen = 1 WHERE id = ?').bind(account).run();
  }

  async ask(asked: readonly Asked[]): Promise<object[]> {
    this.#batch += 1;
    const outcome = await this.#ledger.commit({
      book: this.#book,
      owner: 'twin',
      batch: this.#batch,
      settledFrom: 0,
      settledTo: 0,
      baseAsset: this.#asset,
      quoteAsset: USD,
      tracksLots: false,
      emitsEvents: false,
      chunks: [],
      orders: asked.map((each) => this.#row(each)),
      amendments: [],
    });
    if (outcome.type !== 'landed') throw new Error(`the batch came to ${JSON.stringify(outcome)}`);
    return outcome.results.refused.map((row) => this.#unnamed(row));
  }

  /** Orders in the order in which they were asked, and balances, without the ids that are this twin's alone. */
  async state(): Promise<object> {
    const rows = await env.DB.prepare('SELECT * FROM orders WHERE book = ? ORDER BY id').bind(this.#book).all();
    const balances = await Promise.all(
      this.#accounts.map(({ account }) =>
        env.DB.prepare('SELECT available, held FROM balances WHERE account = ? ORDER BY asset').bind(account).all(),
      ),
    );
    return {
      orders: rows.results.map((row) => {
        const { id, status, code, open, reserve, allowance, position, client_order_id, admit_batch } = row;
        return {
          at: this.#ids.indexOf(String(id)),
          status,
          code,
          open,
          reserve,
          allowance,
          position,
          client_order_id,
          admit_batch,
        };
      }),
      balances: balances.map(({ results }) => results),
    };
  }

  get #book(): string {
    return `${this.#symbol}-USD`;
  }

  get #asset(): string {
    return this.#symbol.toLowerCase();
  }

  #row(asked: Asked): OrderRow {
    const owner = this.#accounts[asked.account]!;
    const id = uuidv7();
    this.#ids.push(id);
    const buy = asked.side === 'buy';
    return [
      id,
      owner.account,
      'org-test',
      asked.key === 'none' ? null : owner[asked.key],
      asked.side,
      'limit',
      'GTC',
      10,
      100,
      null,
      null,
      asked.clientOrderId === null ? null : `mine-${asked.clientOrderId}`,
      asked.refusedByTheBook ? 'rejected' : 'open',
      buy ? USD : this.#asset,
      asked.refusedByTheBook ? 0 : buy ? asked.cash : asked.shares,
      asked.allowance === null ? null : ALLOWANCE,
      asked.refusedByTheBook ? 0 : (asked.allowance ?? 0),
      asked.position === null ? null : POSITION,
      asked.refusedByTheBook ? 0 : (asked.position ?? 0),
      asked.facts,
      asked.rules,
      1,
      asked.refusedByTheBook ? 'INVALID_PRICE' : null,
    ];
  }

  #unnamed({ id, refusal, available, existing }: RefusedRow): object {
    const at = existing === null ? null : this.#ids.indexOf(existing.id);
    return { at: this.#ids.indexOf(id), refusal, available, existing: at };
  }
}

test('orders that are held together are admitted, refused and held exactly as those that are held row by row', async () => {
  let pairs = 0;
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(order, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 3 }),
      fc.option(fc.integer({ min: 0, max: ACCOUNTS - 1 })),
      async (batches, frozen) => {
        pairs += 1;
        const together = new Twin(`TOG${pairs}`, 1);
        const rowByRow = new Twin(`ROW${pairs}`, Number.POSITIVE_INFINITY);
        for (const twin of [together, rowByRow]) {
          await twin.open();
          if (frozen !== null) await twin.freeze(frozen);
        }
        for (const asked of batches) {
          const refused = await together.ask(asked);
          expect(refused).toEqual(await rowByRow.ask(asked));
          refusals += refused.length;
        }
        expect(await together.state()).toEqual(await rowByRow.state());
      },
    ),
    { numRuns: RUNS },
  );
  expect(refusals).toBeGreaterThan(0);
  expect((await runAudit(db)).filter((check) => !check.holds)).toEqual([]);
});
