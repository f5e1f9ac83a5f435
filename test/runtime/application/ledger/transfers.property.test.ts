import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { grantAllowance } from '../../../../application/ledger/allowances.ts';
import { deposit, withdraw } from '../../../../application/ledger/transfers.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { balances } from '../../../../data/schema/ledger.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';
import '../../../same-cases.ts';

const SHARES = 'acme';
const ALLOWANCE = 'allowance:test';
const RUNS = 12;
const STEPS_MAX = 25;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ACME');
  await createAsset(db, {
    id: ALLOWANCE,
    symbol: 'ALLOWANCE-TEST',
    name: 'Allowance',
    category: 'allowance',
    scale: 2,
    createdAt: 0,
  });
});

const step = fc.record({
  kind: fc.constantFrom('deposit', 'withdraw', 'grant'),
  /** A small pool, so that many ids come twice, with the same or another content. */
  id: fc.integer({ min: 0, max: 15 }),
  account: fc.integer({ min: 0, max: 1 }),
  asset: fc.constantFrom(USD, SHARES),
  amount: fc.integer({ min: 1, max: 1_000 }),
  takeBack: fc.boolean(),
  acquiredAt: fc.integer({ min: 0, max: 3 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The ledger as one would keep it by hand: what each id did, what each account has. */
class Book {
  readonly done = new Map<string, string>();
  readonly has = new Map<string, number>();

  of(account: string, asset: string): number {
    return this.has.get(`${account} ${asset}`) ?? 0;
  }

  /** Whether the step is accepted, as the first or as a repetition. */
  apply(id: string, account: string, asset: string, signed: number): boolean {
    const content = `${account} ${asset} ${signed}`;
    const before = this.done.get(id);
    if (before !== undefined) return before === content;
    const after = this.of(account, asset) + signed;
    if (after < 0) return false;
    this.done.set(id, content);
    this.has.set(`${account} ${asset}`, after);
    return true;
  }
}

async function run(
  ids: string,
  account: string,
  { kind, id, asset, amount, takeBack, acquiredAt }: Step,
  book: Book,
): Promise<void> {
  const request = { id: `${ids}-${kind}-${id}`, account, asset, amount, reference: null, createdAt: 1, action: null };
  switch (kind) {
    case 'deposit': {
      const lot = { quantity: amount, cost: 7 * amount, acquiredAt, restrictionEndsAt: null, offeringType: null };
      const result = await deposit(env, { ...request, cost: 0, lots: asset === SHARES ? [lot] : [] });
      expect(result.ok).toBe(book.apply(request.id, account, asset, amount));
      return;
    }
    case 'withdraw': {
      const result = await withdraw(env, request);
      expect(result.ok).toBe(book.apply(request.id, account, asset, -amount));
      return;
    }
    default: {
      const signed = takeBack ? -amount : amount;
      const { type } = await grantAllowance(env, {
        id: request.id,
        account,
        asset: ALLOWANCE,
        amount: signed,
        createdAt: 1,
        expect: [],
      });
      expect(type === 'done').toBe(book.apply(request.id, account, ALLOWANCE, signed));
    }
  }
}

test('random deposits, withdrawals and grants, duplicates included, keep L1, L2 and the lots', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: STEPS_MAX }), async (steps) => {
      round += 1;
      const accounts = [(await createTrader(db)).accountId, (await createTrader(db)).accountId];
      const book = new Book();
      for (const each of steps) await run(`round-${round}`, accounts[each.account] ?? '', each, book);

      await expectRightLedger();
      const stored = await db.select().from(balances);
      for (const account of accounts) {
        for (const asset of [USD, SHARES, ALLOWANCE]) {
          const row = stored.find((each) => each.account === account && each.asset === asset);
          expect(row?.available ?? 0).toBe(book.of(account, asset));
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test('the same transfers sent all at once, each several times, are made once', async () => {
  const { accountId } = await createTrader(db, { cash: 1_000 });
  const request = (id: string) => ({
    id,
    account: accountId,
    asset: USD,
    amount: 300,
    reference: null,
    createdAt: 1,
    action: null,
  });
  const ids = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`burst-${name}`, `burst-${name}`, `burst-${name}`]);
  const results = await Promise.all(ids.map((id) => withdraw(env, request(id))));
  const accepted = new Set(ids.filter((_, index) => results[index]?.ok));
  expect(accepted.size).toBe(3);
  await expectRightLedger();
});
