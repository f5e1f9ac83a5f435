import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { alignAllowance } from '../../../../application/ledger/allowances.ts';
import { readBalances } from '../../../../application/ledger/balances.ts';
import { changeMarket } from '../../../../application/ledger/change-market.ts';
import { projected } from '../../../../application/ledger/projected.ts';
import { revokeUser } from '../../../../application/ledger/revoke.ts';
import { deposit } from '../../../../application/ledger/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import { LEDGER_SHARD, type LedgerApi } from '../../../../durable-objects/ledger/api.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
});
const action = () => ({ id: uuidv7(), actor: 'operator-test', requestId: 'request-test' });

test('a closed market stays closed', async () => {
  const { symbol } = await createPair(db, 'CLOSED');
  const change = (status: 'open' | 'closed') =>
    changeMarket(env, { symbol, rules: { status }, action: action(), now: Date.now() });
  expect(await change('closed')).toMatchObject({ ok: true, value: { after: { status: 'closed' } } });
  expect(await change('open')).toEqual({ ok: false, error: { reason: 'market_closed' } });
});

test('a user of whom one part cannot be revoked now is not said to be', async () => {
  const { userId } = await createTrader(db);
  const transact = async (transaction: Parameters<LedgerApi['transact']>[0]) => {
    if (transaction.kind === 'facts') throw new Error('the ledger is away');
    return env.LEDGER.getByName(LEDGER_SHARD).transact(transaction);
  };
  const away = { ...env, LEDGER: { getByName: () => ({ transact }) } } as unknown as Env;
  expect(await revokeUser(away, userId, Date.now())).toBeNull();
});

test('an allowance is not aligned to a use that has changed meanwhile', async () => {
  const { accountId } = await createTrader(db, { cash: 30 });
  let reads = 0;
  const usage = async (balanceOf: (asset: string) => { asset: string; available: number; held: number }) => {
    const { asset, available, held } = balanceOf(USD);
    reads += 1;
    const more = {
      id: uuidv7(),
      account: accountId,
      asset: USD,
      amount: 20,
      reference: null,
      createdAt: 1,
      action: null,
    };
    if (reads === 1) await deposit(env, { ...more, lots: [], cost: 0 });
    return { used: available, expect: [{ account: accountId, asset, available, held }] };
  };
  expect(await alignAllowance(env, { account: accountId, asset: 'raced', limit: 100, usage }, Date.now())).toBe(true);
  expect(await projected(env)).toBe(true);
  expect((await readBalances(env, accountId))?.('raced')).toMatchObject({ available: 50 });
});
