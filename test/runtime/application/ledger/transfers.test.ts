import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { alignAllowance, grantAllowance } from '../../../../application/ledger/allowances.ts';
import { projected } from '../../../../application/ledger/projected.ts';
import { type DepositRequest, deposit, withdraw } from '../../../../application/ledger/transfers.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { transfers } from '../../../../data/schema/accounts.ts';
import { domainEvents } from '../../../../data/schema/audit.ts';
import { balances, lots } from '../../../../data/schema/ledger.ts';
import { AMOUNT_MAX } from '../../../../domain/ledger/balances.ts';
import type { ExpectedBalance } from '../../../../domain/ledger/transactions.ts';
import { createCurrency, USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  await createPair(db, 'ACME');
  await createAsset(db, {
    id: 'allowance:reg-cf',
    symbol: 'REG-CF',
    name: 'Reg CF',
    category: 'allowance',
    scale: 2,
    createdAt: 0,
  });
});

const request = (account: string, asset: string, amount: number): DepositRequest => ({
  id: uuidv7(),
  account,
  asset,
  amount,
  cost: 0,
  lots: [],
  reference: null,
  createdAt: Date.now(),
  action: null,
});

const balanceOf = async (account: string, asset: string) =>
  db.get<{ available: number; held: number; cost: number }>(
    sql`SELECT available, held, cost FROM balances WHERE account = ${account} AND asset = ${asset}`,
  );

const lotsOf = (account: string) =>
  db.select().from(lots).where(eq(lots.account, account)).orderBy(lots.acquiredAt, lots.id);

describe('a deposit', () => {
  test('credits the account against boundary:deposits and is listed as completed', async () => {
    const { accountId } = await createTrader(db);
    const boundaryBefore = (await balanceOf('boundary:deposits', USD))?.available ?? 0;
    const asked = { ...request(accountId, USD, 12_345), reference: 'wire 7' };
    const result = await deposit(env, asked);
    expect(result).toMatchObject({
      ok: true,
      value: { repeated: false, transfer: { type: 'deposit', status: 'completed', reference: 'wire 7' } },
    });
    expect(await balanceOf(accountId, USD)).toMatchObject({ available: 12_345, held: 0 });
    expect((await balanceOf('boundary:deposits', USD))?.available).toBe(boundaryBefore - 12_345);
    await expectRightLedger();
  });

  test('sent again under its id changes nothing; another one under the same id is refused', async () => {
    const { accountId } = await createTrader(db);
    const asked = request(accountId, USD, 500);
    await deposit(env, asked);
    expect(await deposit(env, asked)).toMatchObject({
      ok: true,
      value: { repeated: true, transfer: { id: asked.id } },
    });
    expect(await deposit(env, { ...asked, amount: 501 })).toEqual({ ok: false, error: { reason: 'id_conflict' } });
    expect(await withdraw(env, { ...asked, id: asked.id, amount: 500 })).toEqual({
      ok: false,
      error: { reason: 'id_conflict' },
    });
    expect(await balanceOf(accountId, USD)).toMatchObject({ available: 500 });
  });

  test('of a security brings its lots with their dates, cost and offering', async () => {
    const { accountId } = await createTrader(db);
    const lot = { quantity: 40, cost: 4_000, acquiredAt: 1_000, restrictionEndsAt: 2_000, offeringType: '506c' };
    const free = { quantity: 60, cost: 9_000, acquiredAt: 500, restrictionEndsAt: null, offeringType: null };
    expect(await deposit(env, { ...request(accountId, 'acme', 100), lots: [lot, free] })).toMatchObject({ ok: true });
    expect(await lotsOf(accountId)).toMatchObject([free, lot]);
    expect(await balanceOf(accountId, 'acme')).toEqual({ available: 100, held: 0, cost: 13_000 });
    await expectRightLedger();
  });

  test('of a security without lots that sum to it is refused', async () => {
    const { accountId } = await createTrader(db);
    expect(await deposit(env, request(accountId, 'acme', 10))).toEqual({
      ok: false,
      error: { reason: 'lots_do_not_sum', expected: 10, found: 0 },
    });
    expect(await balanceOf(accountId, 'acme')).toBeUndefined();
  });

  test('of an unknown asset or to an unknown account is refused', async () => {
    const { accountId } = await createTrader(db);
    expect(await deposit(env, request(accountId, 'nothing', 1))).toEqual({
      ok: false,
      error: { reason: 'asset_not_found' },
    });
    expect(await deposit(env, request('nobody', USD, 1))).toEqual({
      ok: false,
      error: { reason: 'account_not_found' },
    });
    await expectRightLedger();
  });

  test('that would take a balance out of exact range is refused', async () => {
    const { accountId } = await createTrader(db, { cash: 1 });
    expect(await deposit(env, request(accountId, USD, Number.MAX_SAFE_INTEGER))).toEqual({
      ok: false,
      error: { reason: 'balance_too_large' },
    });
    expect(await balanceOf(accountId, USD)).toMatchObject({ available: 1 });
    await expectRightLedger();
  });

  test('by an operator is written down with actor, before and after, once', async () => {
    const { accountId } = await createTrader(db, { cash: 100 });
    const action = { id: uuidv7(), actor: 'user-operator', requestId: 'req-1' };
    const asked = { ...request(accountId, USD, 50), action };
    await deposit(env, asked);
    await deposit(env, asked);
    const events = await db.select().from(domainEvents).where(eq(domainEvents.subject, accountId));
    expect(events.map(({ type, payload }) => ({ type, ...JSON.parse(payload) }))).toEqual([
      {
        type: 'operator.deposit',
        actor: 'user-operator',
        request_id: 'req-1',
        details: { transferId: asked.id, asset: USD, amount: 50, reference: null },
        before: { available: 100, held: 0 },
        after: { available: 150, held: 0 },
      },
    ]);
  });
});

describe('a withdrawal', () => {
  test('debits what is available against boundary:withdrawals', async () => {
    const { accountId } = await createTrader(db, { cash: 1_000 });
    expect(await withdraw(env, request(accountId, USD, 400))).toMatchObject({
      ok: true,
      value: { transfer: { type: 'withdrawal' } },
    });
    expect(await balanceOf(accountId, USD)).toMatchObject({ available: 600 });
    await expectRightLedger();
  });

  test('beyond what is available is refused and leaves nothing behind', async () => {
    const { accountId } = await createTrader(db, { cash: 1_000 });
    const asked = request(accountId, USD, 1_001);
    expect(await withdraw(env, asked)).toEqual({
      ok: false,
      error: { reason: 'insufficient_balance', required: 1_001, available: 1_000 },
    });
    expect(await db.select().from(transfers).where(eq(transfers.id, asked.id))).toEqual([]);
    expect(await balanceOf(accountId, USD)).toMatchObject({ available: 1_000 });
    await expectRightLedger();
  });

  test('of a security takes the oldest lots first, with their share of the cost', async () => {
    const { accountId } = await createTrader(db);
    const first = { quantity: 30, cost: 1_000, acquiredAt: 1 };
    const second = { quantity: 30, cost: 3_000, acquiredAt: 2 };
    await giveHolding({ accountId, asset: 'acme', lots: [second, first] });
    await withdraw(env, request(accountId, 'acme', 40));
    expect(await lotsOf(accountId)).toMatchObject([{ quantity: 20, cost: 2_000, acquiredAt: 2 }]);
    await expectRightLedger();
  });

  test('of two at once that together exceed the balance goes through once', async () => {
    const { accountId } = await createTrader(db, { cash: 100 });
    const both = await Promise.all([
      withdraw(env, request(accountId, USD, 60)),
      withdraw(env, request(accountId, USD, 60)),
    ]);
    expect(both.filter((result) => result.ok)).toHaveLength(1);
    expect(await balanceOf(accountId, USD)).toMatchObject({ available: 40 });
  });
});

describe('a grant of an allowance', () => {
  const ASSET = 'allowance:reg-cf';
  const grant = async (account: string, amount: number, expected: readonly ExpectedBalance[] = [], id = uuidv7()) =>
    (await grantAllowance(env, { id, account, asset: ASSET, amount, createdAt: 1, expect: expected })).type;

  test('moves it from boundary:limits, once per id, and takes back only what is unused', async () => {
    const { accountId } = await createTrader(db);
    const id = uuidv7();
    expect(await grant(accountId, 250_000, [], id)).toBe('done');
    expect(await grant(accountId, 250_000, [], id)).toBe('done');
    expect(await grant(accountId, 250_001, [], id)).toBe('id_conflict');
    expect(await grant(accountId, -250_001)).toBe('stale');
    expect(await grant(accountId, -50_000)).toBe('done');
    expect(await projected(env)).toBe(true);
    expect(await balanceOf(accountId, ASSET)).toMatchObject({ available: 200_000 });
    const [limits] = await db.select().from(balances).where(eq(balances.account, 'boundary:limits'));
    expect(limits).toMatchObject({ available: -200_000 });
    await expectRightLedger();
  });

  test('is not made once a balance that it was worked out from has moved', async () => {
    const { accountId } = await createTrader(db, { cash: 10 });
    const held = { account: accountId, asset: USD, available: 10, held: 0 };
    expect(await grant(accountId, 5, [{ ...held, available: 9 }])).toBe('stale');
    expect(await grant(accountId, 5, [held])).toBe('done');
  });

  test('goes no further than AMOUNT_MAX, whatever the limit is', async () => {
    const { accountId } = await createTrader(db);
    const usage = () => ({ used: 7, expect: [] });
    const limit = Number.MAX_SAFE_INTEGER;
    expect(await alignAllowance(env, { account: accountId, asset: 'wide', limit, usage }, Date.now())).toBe(true);
    expect(await projected(env)).toBe(true);
    expect(await balanceOf(accountId, 'wide')).toMatchObject({ available: AMOUNT_MAX - 7 });
  });

  test('of two alignments at once is made once', async () => {
    const { accountId } = await createTrader(db, { cash: 30 });
    const align = () =>
      alignAllowance(
        env,
        {
          account: accountId,
          asset: ASSET,
          limit: 100,
          usage: (balance) => ({ used: balance(USD).available, expect: [{ ...balance(USD), account: accountId }] }),
        },
        Date.now(),
      );
    expect(await Promise.all([align(), align(), align()])).toEqual([true, true, true]);
    expect(await projected(env)).toBe(true);
    expect(await balanceOf(accountId, ASSET)).toMatchObject({ available: 70 });
    await withdraw(env, request(accountId, USD, 20));
    expect(await align()).toBe(true);
    expect(await projected(env)).toBe(true);
    expect(await balanceOf(accountId, ASSET)).toMatchObject({ available: 90 });
  });
});
