import { deposit } from '../../application/ledger/transfers.ts';
import { decidePartner } from '../../application/partner/registration/decide-partner.ts';
import { listSecurity, submitSecurity } from '../../application/partner/securities/change-security.ts';
import { registerEndpoint } from '../../application/partner/webhooks/manage-endpoints.ts';
import { database } from '../../data/database.ts';
import { insertApplication } from '../../data/partner/organizations.ts';
import { orderBookOf, type PlaceCommand } from '../../durable-objects/order-book/api.ts';
import { submitAsText } from '../../durable-objects/order-book/rpc/call-text.ts';
import { openMarkets } from './open-markets.ts';
import { accountId, sampleOrders } from './order-flow-sample.ts';

export { Gate } from '../../durable-objects/gate/gate.ts';
export { Ledger } from '../../durable-objects/ledger/ledger.ts';
export { OrderBook } from '../../durable-objects/order-book/order-book.ts';
export { WebhookDispatch } from '../../durable-objects/webhook-dispatch/webhook-dispatch.ts';
export { WebhookEndpoint } from '../../durable-objects/webhook-endpoint/webhook-endpoint.ts';

const SHARES = 1_000_000;
const PRICE = 10_00;
const [SELLER, BUYER] = [accountId(0), accountId(1)];

interface Setup {
  /** Addresses by lister; each lists one security, `W0` and so on. */
  readonly urls: readonly (readonly string[])[];
}

/** Listers with a listed security each, their endpoints, and shares to sell. */
async function setUp(env: Env, { urls }: Setup): Promise<void> {
  await openMarkets(env, { markets: 0, securities: 0 });
  for (const [at, endpoints] of urls.entries()) {
    const organization = crypto.randomUUID();
    await becomeLister(env, organization, at);
    await list(env, organization, `W${at}`);
    for (const url of endpoints) {
      const terms = { url, events: ['trade.executed'] as const, description: null };
      done(await registerEndpoint(env, { organization, role: 'cross_lister' }, terms, Date.now()));
    }
  }
}

async function becomeLister(env: Env, organization: string, at: number): Promise<void> {
  const application = {
    organization,
    name: `Lister ${at}`,
    role: 'cross_lister',
    contactEmail: 'bench@example.com',
    crdNumber: '123456',
    secRegistrationNumber: null,
    userId: crypto.randomUUID(),
    secretHash: 'none',
    appliedFrom: 'bench',
    checkId: null,
    now: Date.now(),
  } as const;
  const bounds = { openMax: 1_000, perAddressMax: 1_000 };
  await insertApplication(database(env.DB), application, bounds, action());
  done(await decidePartner(env, { id: organization, decision: 'approve', reason: 'bench' }, action()));
}

async function list(env: Env, organization: string, symbol: string): Promise<void> {
  const submission = action();
  const security = {
    organization,
    assetName: symbol,
    assetType: 'private_security',
    securityClass: 'common_stock',
    shareClass: 'A',
    issuerId: symbol,
    issuerName: symbol,
    issuerType: 'private_corporation',
    cusip: null,
    isin: null,
    currency: 'USD',
    lastValuationPrice: 100_000,
    lastValuationDate: '2026-06-30',
    restrictions: {
      legendRequired: false,
      rule144HoldingPeriodMet: false,
      transferRestrictions: 'none',
      lockUpExpiryDate: null,
    },
    transferAgent: null,
  } as const;
  done(await submitSecurity(env, security, submission));
  const listing = {
    ...{ symbol, scale: 0, regulation: 'retail' as const, accreditationType: null, priceScale: 2, tickSize: 0.01 },
    ...{ lotSize: 1, minSize: 1, maxSize: SHARES, makerFeeBps: 0, takerFeeBps: 0 },
  } as const;
  done(await listSecurity(env, { id: submission.id, listing, reason: 'bench' }, action()));
  const createdAt = Date.now();
  const lot = { quantity: SHARES, cost: 0, acquiredAt: createdAt, restrictionEndsAt: null, offeringType: null };
  const terms = { account: SELLER, asset: submission.id, amount: SHARES, cost: 0, lots: [lot], reference: null };
  done(await deposit(env, { id: crypto.randomUUID(), ...terms, createdAt, action: null }));
}

function action() {
  return { id: crypto.randomUUID(), actor: 'bench', requestId: 'bench' };
}

function done<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown },
): Value {
  if (!result.ok) throw new Error(`bench setup: ${JSON.stringify(result.error)}`);
  return result.value;
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
};
