import { openAccount } from '../../data/accounts.ts';
import { createAsset } from '../../data/assets.ts';
import { database } from '../../data/database.ts';
import { createMarket } from '../../data/markets.ts';
import { createOrganization } from '../../data/organizations.ts';
import { deposit } from '../../data/transfers.ts';
import { ACCOUNTS, accountId } from './order-flow-sample.ts';

const CASH = 10_000_000_000_00;
const SHARES = 1_000_000_000;

/** Accounts with cash, and markets `B0-USD` … with holdings in each; `lots` decides whether they are securities. */
export async function openMarkets(d1: D1Database, markets: number, lots: boolean): Promise<void> {
  const db = database(d1);
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
    const result = await deposit(db, { id: crypto.randomUUID(), ...terms, lots: tracksLots ? [lot] : [] });
    if (!result.ok) throw new Error(`bench setup: ${result.error.reason}`);
  };
  for (const account of accounts) await give(account, 'usd', CASH, false);
  for (let i = 0; i < markets; i++) {
    const id = `b${i}`;
    const terms = lots
      ? ({ category: 'privates', rail: 'private', tracksLots: true } as const)
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
    for (const account of accounts) await give(account, id, SHARES, lots);
  }
}
