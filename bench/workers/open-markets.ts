import { deposit } from '../../application/ledger/transfers.ts';
import { openAccount } from '../../data/accounts/accounts.ts';
import { createOrganization } from '../../data/accounts/organizations.ts';
import { createAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { createMarket } from '../../data/markets/markets.ts';
import { ledgerOf } from '../../durable-objects/ledger/api.ts';
import { ACCOUNTS, accountId } from './order-flow-sample.ts';

const CASH = 10_000_000_000_00;
const SHARES = 1_000_000_000;
const DEPOSITS_AT_ONCE = 500;

export interface BenchMarketsEnv {
  readonly DB: D1Database;
  readonly LEDGER: DurableObjectNamespace;
}

export interface BenchMarkets {
  /** Pairs `B0-USD` … whose base keeps no lots. */
  readonly markets: number;
  /** Pairs `L0-USD` … of private securities: lots, events. */
  readonly securities: number;
}

/** Accounts with cash, and markets with holdings in each. */
export async function openMarkets(env: BenchMarketsEnv, { markets, securities }: BenchMarkets): Promise<void> {
  const db = database(env.DB);
  const createdAt = Date.now();
  await createOrganization(db, { id: 'bench', name: 'bench', createdAt });
  await createAsset(db, { id: 'usd', symbol: 'USD', name: 'US dollar', category: 'currency', scale: 2, createdAt });
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => accountId(index));
  for (const account of accounts) {
    const user = {
      id: `user-${account}`,
      owner: 'bench',
      phone: null,
      email: 'bench@example.com',
      name: account,
      roles: [],
      createdAt,
    };
    await openAccount(db, user, { id: account, kycStatus: 'completed' });
  }
  const give = async (account: string, asset: string, amount: number, tracksLots: boolean): Promise<void> => {
    const terms = { account, asset, amount, cost: 0, reference: null, createdAt, action: null };
    const lot = { quantity: amount, cost: 0, acquiredAt: createdAt, restrictionEndsAt: null, offeringType: null };
    const result = await deposit(env as unknown as Env, {
      id: crypto.randomUUID(),
      ...terms,
      lots: tracksLots ? [lot] : [],
    });
    if (!result.ok) throw new Error(`bench setup: ${result.error.reason}`);
  };
  for (const account of accounts) await give(account, 'usd', CASH, false);
  const ids = [
    ...Array.from({ length: markets }, (_, i) => ({ id: `b${i}`, tracksLots: false })),
    ...Array.from({ length: securities }, (_, i) => ({ id: `l${i}`, tracksLots: true })),
  ];
  for (const { id, tracksLots } of ids) {
    const terms = tracksLots
      ? ({ category: 'privates', rail: 'private', tracksLots } as const)
      : ({ category: 'crypto', rail: 'digital' } as const);
    await createAsset(db, {
      id,
      symbol: id.toUpperCase(),
      name: id,
      scale: 0,
      executionRoute: 'internal',
      createdAt,
      ...terms,
    });
    await createMarket(db, {
      baseAsset: id,
      quoteAsset: 'usd',
      priceScale: 2,
      tickSize: 1,
      lotSize: 1,
      quantityMin: 1,
      quantityMax: 1_000_000,
      makerFeeBps: 2,
      takerFeeBps: 5,
      createdAt,
    });
    for (const account of accounts) await give(account, id, SHARES, tracksLots);
  }
}

/** Further accounts with cash in the ledger, which nobody trades with. */
export async function openAccounts(env: BenchMarketsEnv, from: number, count: number): Promise<void> {
  const ledger = ledgerOf(env);
  for (let start = from; start < from + count; start += DEPOSITS_AT_ONCE) {
    const deposits = Array.from({ length: Math.min(DEPOSITS_AT_ONCE, from + count - start) }, () =>
      ledger.transact({
        kind: 'transfer',
        id: crypto.randomUUID(),
        type: 'deposit',
        account: crypto.randomUUID(),
        asset: 'usd',
        amount: 1_000_00,
        cost: 0,
        tracksLots: false,
        lots: [],
        reference: null,
        createdAt: 0,
        event: null,
      }),
    );
    await Promise.all(deposits);
  }
}
