import { deposit } from '../../application/ledger/transfers.ts';
import { registerEndpoint } from '../../application/partner/webhooks/manage-endpoints.ts';
import { NO_TOKEN } from '../../data/identity/bearer.ts';
import type { Ordering } from '../../domain/webhooks/ordering.ts';
import { orderBookOf, type PlaceCommand } from '../../durable-objects/order-book/api.ts';
import { submitAsText } from '../../durable-objects/order-book/rpc/call-text.ts';
import { consumeWebhooks } from '../../workers/queues/consume-webhooks.ts';
import { becomeLister, done, listedSecurity } from './listed-security.ts';
import { openMarkets } from './open-markets.ts';
import { accountId, sampleOrders } from './order-flow-sample.ts';

export * from './exchange-objects.ts';

const SHARES = 1_000_000;
const PRICE = 10_00;
const [SELLER, BUYER] = [accountId(0), accountId(1)];

interface Setup {
  /** Addresses by lister; each lists one security, `W0` and so on. */
  readonly urls: readonly (readonly string[])[];
  /** Of all endpoints. */
  readonly ordering: Ordering;
}

/** Listers with a listed security each, their endpoints, and shares to sell. */
async function setUp(env: Env, { urls, ordering }: Setup): Promise<void> {
  await openMarkets(env, { markets: 0, securities: 0 });
  for (const [at, endpoints] of urls.entries()) {
    const organization = crypto.randomUUID();
    await becomeLister(env, organization);
    await list(env, organization, `W${at}`);
    for (const url of endpoints) {
      const none = { description: null, securityIds: null, headers: {} };
      const terms = { url, events: ['trade.executed'] as const, ordering, ...none };
      done(await registerEndpoint(env, { organization, role: 'cross_lister' }, terms, Date.now(), NO_TOKEN));
    }
  }
}

/** A security with shares that one account may sell. */
async function list(env: Env, organization: string, symbol: string): Promise<void> {
  const asset = await listedSecurity(env, organization, { symbol, transferAgent: null });
  const createdAt = Date.now();
  const lot = { quantity: SHARES, cost: 0, acquiredAt: createdAt, restrictionEndsAt: null, offeringType: null };
  const terms = { account: SELLER, asset, amount: SHARES, cost: 0, lots: [lot], reference: null };
  done(await deposit(env, { id: crypto.randomUUID(), ...terms, createdAt, action: null }));
}

/** So many trades of one share each: every buy meets the sale before it. */
async function trade(env: Env, symbol: string, trades: number, seed: number): Promise<void> {
  const orders = sampleOrders(seed, 2 * trades).map((order, at): PlaceCommand => {
    const [side, account] = at % 2 === 0 ? (['sell', SELLER] as const) : (['buy', BUYER] as const);
    return { ...order, account, terms: { ...order.terms, side, quantity: 1, price: PRICE } };
  });
  for (const result of await submitAsText(orderBookOf(env, symbol), orders))
    if (result.type !== 'done') throw new Error(`bench order refused: ${JSON.stringify(result)}`);
}

/** The peer: the same bodies to the same receivers, as many to each, one after the other to each and to all at once; nothing is stored or signed. */
async function plain(urls: readonly string[], each: number, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const toOne = async (url: string): Promise<void> => {
    for (let sent = 0; sent < each; sent++) {
      const response = await fetch(url, { method: 'POST', headers, body });
      await response.arrayBuffer();
    }
  };
  await Promise.all(urls.map(toOne));
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    switch (url.pathname) {
      case '/setup':
        await setUp(env, (await request.json()) as Setup);
        return Response.json({});
      case '/trade':
        await trade(env, url.searchParams.get('symbol') ?? '', number('trades'), number('seed'));
        return Response.json({});
      case '/plain': {
        const { urls, each, body } = (await request.json()) as { urls: string[]; each: number; body: string };
        await plain(urls, each, body);
        return Response.json({});
      }
      default:
        return new Response(null, { status: 404 });
    }
  },
  queue: consumeWebhooks,
};
