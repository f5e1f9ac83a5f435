import { uuidv7 } from 'uuidv7';
import { deposit } from '../../application/ledger/transfers.ts';
import { openAccount } from '../../data/accounts/accounts.ts';
import { createOrganization } from '../../data/accounts/organizations.ts';
import { runAudit } from '../../data/audit/run-audit.ts';
import { createAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { createApiKey } from '../../data/identity/api-keys.ts';
import { sealSecret } from '../../data/identity/sealed-secret.ts';
import { createMarket } from '../../data/markets/markets.ts';
import { orderBookOf } from '../../durable-objects/order-book/api.ts';
import exchange from '../../workers/index.ts';

export * from './exchange-objects.ts';

/** What an API key of the bench is allowed: the limiter counts every order, and never refuses one. */
const ORDERS_PER_SECOND = 1_000_000;
const CASH = 10_000_000_000_00;
const COINS = 1_000_000_000;

export interface BenchKey {
  readonly id: string;
  readonly secret: string;
}

/** A crypto pair `COIN-USD`, and users who own both sides of it, each with an API key; answers the keys. */
async function setup(env: Env, traders: number): Promise<BenchKey[]> {
  const db = database(env.DB);
  const createdAt = Date.now();
  await createOrganization(db, { id: 'bench', name: 'bench', createdAt });
  await createAsset(db, { id: 'usd', symbol: 'USD', name: 'US dollar', category: 'currency', scale: 2, createdAt });
  await createAsset(db, {
    id: 'coin',
    symbol: 'COIN',
    name: 'Coin',
    category: 'crypto',
    rail: 'digital',
    scale: 0,
    executionRoute: 'internal',
    createdAt,
  });
  const market = await createMarket(db, {
    baseAsset: 'coin',
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
  if (!market.ok) throw new Error(`bench setup: ${market.error.reason}`);
  return Promise.all(Array.from({ length: traders }, (_, index) => createTrader(env, index)));
}

async function createTrader(env: Env, index: number): Promise<BenchKey> {
  const db = database(env.DB);
  const createdAt = Date.now();
  const [userId, account] = [`trader-${index}`, `trader-${index}-account`];
  const user = { id: userId, owner: 'bench', phone: null, email: 'bench@example.com', name: userId };
  await openAccount(db, { ...user, roles: ['trader'], createdAt }, { id: account, kycStatus: 'completed' });
  const terms = { account, cost: 0, lots: [], reference: null, createdAt, action: null };
  for (const [asset, amount] of [['usd', CASH] as const, ['coin', COINS] as const]) {
    const result = await deposit(env, { id: crypto.randomUUID(), asset, amount, ...terms });
    if (!result.ok) throw new Error(`bench setup: ${result.error.reason}`);
  }
  const key = { id: uuidv7(), secret: `${userId}-secret-of-the-bench` };
  await createApiKey(
    db,
    {
      id: key.id,
      account,
      userId,
      owner: 'bench',
      name: userId,
      scopes: ['read', 'trade'],
      ipAllowlist: null,
      rateLimits: { orders: ORDERS_PER_SECOND },
      positionLimits: null,
      dailyLossMax: null,
      createdAt,
    },
    await sealSecret(key.secret, env.API_KEY_MASTER_KEY, key.id),
  );
  return key;
}

/** Checks that do not hold, once everything has settled. */
async function brokenChecks(env: Env): Promise<string[]> {
  const book = orderBookOf(env, 'COIN-USD');
  if (!(await book.settled())) return ['the book did not settle'];
  return (await runAudit(database(env.DB))).filter((row) => !row.holds).map((row) => row.claim);
}

export default {
  async fetch(request, env, ctx) {
    if (request.method === 'GET') {
      const url = new URL(request.url);
      if (url.pathname === '/setup') return Response.json(await setup(env, Number(url.searchParams.get('traders'))));
      if (url.pathname === '/status') return Response.json(await orderBookOf(env, 'COIN-USD').status());
      if (url.pathname === '/audit') return Response.json(await brokenChecks(env));
    }
    return exchange.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
