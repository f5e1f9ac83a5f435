import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../data/database.ts';
import { ledgerOf } from '../../../durable-objects/ledger/api.ts';
import { PROFILE_SEGMENTS } from '../../../workers/middleware/profile-name.ts';
import { createKeyHolder, type KeyHolder } from '../fixtures/book-client.ts';
import { call, codeOf } from '../fixtures/call.ts';
import { createPair } from '../fixtures/create-pair.ts';
import type { TraderTerms } from '../fixtures/create-trader.ts';
import { tokensOf } from '../fixtures/exchange-client.ts';
import { giveHolding } from '../fixtures/give-balance.ts';
import { introducedInvestor } from '../fixtures/introduced-investor.ts';
import { migrate } from '../fixtures/migrate.ts';
import { setFacts } from '../fixtures/operate.ts';
import { OrderSocket } from '../fixtures/order-socket.ts';
import { createPartner, createSecurity, type Partner } from '../fixtures/partner-client.ts';
import { profiles } from '../fixtures/profiles.ts';
import { settle } from '../fixtures/settle.ts';
import { agentOf } from './agent/agent-client.ts';

const CASH = 1_000_000_00;
const QUALIFIED = { accreditationStatus: 'completed', accreditationType: '506c' } as const;
const LATER = Date.now() + 90 * 86_400_000;

let db: Database;
let lister: Partner;

/** Ids of assets: one for verified buyers alone, one whose restricted lots a seller in the US may not sell. */
const ACCREDITED = uuidv7();
const RESTRICTED = uuidv7();
const MARKETS: Readonly<Record<string, string>> = { [ACCREDITED]: 'WAYC', [RESTRICTED]: 'WAYS' };

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  for (const [id, regulation, accreditationType] of [
    [ACCREDITED, 'reg_d_506c', '506c'],
    [RESTRICTED, 'reg_s', null],
  ] as const) {
    const symbol = MARKETS[id] ?? '';
    const { symbol: market } = await createPair(db, symbol, { asset: { id, regulation, accreditationType } });
    await createSecurity(db, lister, { id, state: 'listed', symbol, market });
  }
});

interface Order {
  readonly asset: string;
  readonly side: 'buy' | 'sell';
  readonly size: number;
}

/** What became of it: the code of a refusal, or null where it was taken. */
type Outcome = Promise<string | null>;

/** Somebody who trades by one way in. */
interface TraderByWay {
  readonly accountId: string;
  readonly place: (order: Order) => Outcome;
}

const request = ({ asset, side, size }: Order) => ({
  symbol: `${MARKETS[asset]}-USD`,
  side,
  type: 'limit',
  size,
  price: 1,
});

const holder = (terms: TraderTerms): Promise<KeyHolder> => createKeyHolder(db, { cash: CASH, ...terms });

/** A way of key holders, by what they send. */
function ofKeys(place: (by: KeyHolder, order: Order) => Outcome): (terms: TraderTerms) => Promise<TraderByWay> {
  return async (terms) => {
    const by = await holder(terms);
    return { accountId: by.accountId, place: (order) => place(by, order) };
  };
}

async function bySocket<T>(by: KeyHolder, ask: (socket: OrderSocket) => Promise<T>): Promise<T> {
  const socket = await OrderSocket.open(by.headers);
  try {
    return await ask(socket);
  } finally {
    socket.close();
  }
}

interface BatchResults {
  readonly results: readonly { readonly error?: { readonly code: string } }[];
}

/** Each way in by which an order is placed, by the route that takes it. */
const WAYS: Readonly<Record<string, (terms: TraderTerms) => Promise<TraderByWay>>> = {
  'POST /exchange/v1/orders': ofKeys(async (by, { asset, side, size }) => {
    const json = { assetId: asset, side: side.toUpperCase(), orderType: 'limit', quantity: size, limitPrice: 1 };
    return codeOf(await call('POST /exchange/v1/orders', { headers: await tokensOf(by), json }));
  }),
  'POST /book/v1/orders': ofKeys(async (by, order) =>
    codeOf(await call('POST /book/v1/orders', { headers: by.headers, json: request(order) })),
  ),
  'POST /book/v1/orders/batch': ofKeys(async (by, order) => {
    const { body } = await by.client.post('/v1/orders/batch', { orders: [request(order)] });
    return (body as unknown as BatchResults).results[0]?.error?.code ?? null;
  }),
  'POST /book/TradingService/PlaceOrder': ofKeys(async (by, order) =>
    codeOf(await call('POST /book/TradingService/PlaceOrder', { headers: by.headers, json: request(order) })),
  ),
  'order socket, place': ofKeys((by, order) =>
    bySocket(by, async (socket) => (await socket.ask('place', { order: request(order) })).error?.code ?? null),
  ),
  'order socket, place_batch': ofKeys((by, order) =>
    bySocket(by, async (socket) => {
      const { result, error } = await socket.ask('place_batch', { orders: [request(order)] });
      expect(error).toBeUndefined();
      return (result as unknown as BatchResults).results[0]?.error?.code ?? null;
    }),
  ),
  'POST /agent/mcp': ofKeys(async (by, order) => {
    const { size, ...rest } = request(order);
    return (await (await agentOf(by)).tool('place_order', { ...rest, quantity: size })).error?.code ?? null;
  }),
  'POST /partner/v1/orders': async (terms) => {
    const investor = await introducedInvestor(lister, { cash: CASH });
    const { accountId } = investor;
    await setFacts(accountId, { accreditationStatus: 'none', accreditationType: null, ...terms });
    const place = async ({ asset, side, size }: Order) => {
      const { body } = await lister.client.post<{ error?: { code: string } }>('/v1/orders', {
        security_id: asset,
        side,
        order_type: 'limit',
        quantity: size,
        price: 1,
        time_in_force: 'gtc',
        investor_id: investor.investorId,
        account_id: accountId,
        broker_dealer: { firm_name: 'Juniper Securities LLC', crd_number: '111' },
      });
      return body.error?.code ?? null;
    };
    return { accountId, place };
  },
};

type Amend = (by: KeyHolder, orderId: string, size: number) => Outcome;

/** Each way in by which an order that stands is changed. */
const AMENDS: Readonly<Record<string, Amend>> = {
  'PUT /exchange/v1/orders/{id}': async (by, id, quantity) =>
    codeOf(await call(`PUT /exchange/v1/orders/${id}`, { headers: await tokensOf(by), json: { quantity } })),
  'PATCH /book/v1/orders/{order_id}': async (by, id, size) =>
    codeOf(await call(`PATCH /book/v1/orders/${id}`, { headers: by.headers, json: { size } })),
  'order socket, amend': (by, order_id, size) =>
    bySocket(by, async (socket) => (await socket.ask('amend', { order_id, size })).error?.code ?? null),
};

/** Once the books have given back what a refused order held. */
async function heldBy(accountId: string): Promise<number> {
  await settle(...Object.values(MARKETS).map((symbol) => `${symbol}-USD`));
  return (await ledgerOf(env).balances(accountId)).reduce((sum, { held }) => sum + held, 0);
}

async function giveLots(accountId: string, ...restricted: readonly boolean[]): Promise<void> {
  const lots = restricted.map((isRestricted, at) => ({
    quantity: 5,
    acquiredAt: at + 1,
    ...(isRestricted ? { restrictionEndsAt: LATER } : {}),
  }));
  await giveHolding({ accountId, asset: RESTRICTED, lots });
}

describe('X-SVC-05: every way in to place an order', () => {
  it('is asked here: each route that draws on the limit of placements, the tools of agents and the order socket', () => {
    const placing = Object.values(profiles).flatMap(({ name, routes }) =>
      routes
        .filter(({ bucket, method }) => bucket === 'orders' && method === 'post')
        .map(({ path }) => `POST /${PROFILE_SEGMENTS[name]}${path}`),
    );
    const besides = ['POST /agent/mcp', 'order socket, place', 'order socket, place_batch'];
    expect([...placing, ...besides].sort()).toEqual(Object.keys(WAYS).sort());
  });

  describe.each(Object.entries(WAYS))('%s', (_, by) => {
    it('is closed to a buyer without the accreditation that the asset asks for, and open with it', async () => {
      const order = { asset: ACCREDITED, side: 'buy', size: 1 } as const;
      const buyer = await by({});
      expect(await buyer.place(order)).toBe('ACCREDITATION_REQUIRED');
      expect(await heldBy(buyer.accountId)).toBe(0);
      const qualified = await by(QUALIFIED);
      expect(await qualified.place(order)).toBeNull();
      expect(await heldBy(qualified.accountId)).toBeGreaterThan(0);
    });

    it('is closed to a seller whose lots no exemption lets go, and open to one whose lots are free', async () => {
      const order = { asset: RESTRICTED, side: 'sell', size: 5 } as const;
      const [seller, free] = [await by({}), await by({})];
      await giveLots(seller.accountId, true);
      expect(await seller.place(order)).toBe('RESALE_RESTRICTED');
      expect(await heldBy(seller.accountId)).toBe(0);
      await giveLots(free.accountId, false);
      expect(await free.place(order)).toBeNull();
      expect(await heldBy(free.accountId)).toBe(5);
    });
  });
});

describe('X-SVC-05: every way in to change an order', () => {
  const open = async (by: KeyHolder, order: Order): Promise<string> => {
    const { status, body } = await by.client.post('/v1/orders', request(order));
    if (status !== 200 && status !== 201) throw new Error(JSON.stringify(body));
    return String(body.order_id);
  };

  it.each(Object.entries(AMENDS))('%s asks who the buyer is by now', async (_, amend) => {
    const by = await holder(QUALIFIED);
    const id = await open(by, { asset: ACCREDITED, side: 'buy', size: 1 });
    expect(await amend(by, id, 2)).toBeNull();
    await setFacts(by.accountId, { accreditationType: '506b' });
    expect(await amend(by, id, 3)).toBe('ACCREDITATION_REQUIRED');
  });

  it.each(Object.entries(AMENDS))('%s asks of which lots the seller would sell', async (_, amend) => {
    const by = await holder({});
    await giveLots(by.accountId, false, true);
    const id = await open(by, { asset: RESTRICTED, side: 'sell', size: 4 });
    expect(await amend(by, id, 5)).toBeNull();
    expect(await amend(by, id, 6)).toBe('RESALE_RESTRICTED');
    expect(await heldBy(by.accountId)).toBe(5);
  });
});
