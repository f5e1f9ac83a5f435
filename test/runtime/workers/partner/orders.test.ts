import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { placePartnerOrder } from '../../../../application/partner/orders/place-partner-order.ts';
import type { Database } from '../../../../data/database.ts';
import { orderRefusals } from '../../../../data/schema/compliance.ts';
import { investorChecks, partnerOrders } from '../../../../data/schema/investors.ts';
import { partnerOrganizations, securities } from '../../../../data/schema/partner.ts';
import type { CheckKind } from '../../../../domain/partner/compliance.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { type IntroducedInvestor, introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

let db: Database;
let lister: Partner;
let other: Partner;
let security: string;
let buyer: IntroducedInvestor;
let seller: IntroducedInvestor;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  other = await createPartner(db, 'cross_lister');
  ({ securityId: security } = await listedSecurity(db, lister, 'ORBIT'));
  buyer = await introducedInvestor(lister, { cash: 1_000_000_00 });
  seller = await introducedInvestor(other, { name: 'Winters Capital LP', accountType: 'entity' });
  await giveHolding({ accountId: seller.accountId, asset: security, lots: [{ quantity: 1_000 }] });
});

const BROKER_DEALER = { firm_name: 'Juniper Securities LLC', crd_number: '123456' };

const orderBody = (
  { investorId, accountId }: IntroducedInvestor,
  terms: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  security_id: security,
  side: 'buy',
  order_type: 'limit',
  quantity: 10,
  price: 42.5,
  time_in_force: 'gtc',
  investor_id: investorId,
  account_id: accountId,
  broker_dealer: BROKER_DEALER,
  ...terms,
});

interface OrderBody {
  readonly order_id: string;
  readonly status: string;
  readonly expires_at: string | null;
}

/** Ten orders a second are let through. */
const BETWEEN_ORDERS_MS = 200;

function place(partner: Partner, body: Record<string, unknown>, headers: Record<string, string> = {}) {
  skipTime(BETWEEN_ORDERS_MS);
  return partner.client.post<OrderBody>('/v1/orders', body, headers);
}

async function placed(partner: Partner, body: Record<string, unknown>): Promise<string> {
  const answer = await place(partner, body);
  if (answer.status !== 201) throw new Error(`order refused: ${JSON.stringify(answer.body)}`);
  return answer.body.order_id;
}

const read = async (partner: Partner, id: string) =>
  (await partner.client.get<Record<string, unknown>>(`/v1/orders/${id}`)).body;

const setCheck = (investor: string, kind: CheckKind, change: Partial<typeof investorChecks.$inferInsert>) =>
  db
    .update(investorChecks)
    .set(change)
    .where(and(eq(investorChecks.investor, investor), eq(investorChecks.kind, kind)));

const askedOf = ({ investorId, accountId }: IntroducedInvestor) =>
  ({
    orderId: uuidv7(),
    organization: lister.organization,
    securityId: security,
    investorId,
    accountId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    quantity: 1,
    price: 1,
    brokerDealer: { firmName: 'Juniper Securities LLC', crdNumber: '123456' },
    clientAddress: '127.0.0.1',
  }) as const;

/** The bindings, with something else that happens once an order's checks have passed and before it is placed. */
function envWhere(happens: () => Promise<void>): Env {
  const prepare = (query: string): D1PreparedStatement => {
    const statement = env.DB.prepare(query);
    if (!query.startsWith('insert into "partner_orders"')) return statement;
    const bind = (...values: unknown[]) => {
      const bound = statement.bind(...values);
      return { run: () => happens().then(() => bound.run()) };
    };
    return { bind } as unknown as D1PreparedStatement;
  };
  const batch = (statements: D1PreparedStatement[]) => env.DB.batch(statements);
  return { ...env, DB: { prepare, batch } as unknown as D1Database };
}

describe('POST /v1/orders', () => {
  test('places an order for an investor, with its broker-dealer, and it trades with those of other partners', async () => {
    const sell = await placed(other, orderBody(seller, { side: 'sell', quantity: 4, price: 40 }));
    const answer = await place(lister, orderBody(buyer, { price: 41 }));
    expect(answer).toMatchObject({
      status: 201,
      body: {
        security_id: security,
        investor_id: buyer.investorId,
        account_id: buyer.accountId,
        broker_dealer: BROKER_DEALER,
        side: 'buy',
        order_type: 'limit',
        quantity: 10,
        price: 41,
        time_in_force: 'gtc',
        expires_at: null,
        status: 'partially_filled',
        filled_quantity: 4,
        average_price: 40,
        reason: null,
      },
    });
    expect(await read(lister, answer.body.order_id)).toEqual(answer.body);
    expect(await read(other, sell)).toMatchObject({ status: 'filled', filled_quantity: 4, average_price: 40 });
    await expectRightLedger();
  });

  test('a repeated request is one order', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const answers = [await place(lister, orderBody(buyer), key), await place(lister, orderBody(buyer), key)];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const rows = await db
      .select()
      .from(partnerOrders)
      .where(eq(partnerOrders.id, answers[0]?.body.order_id ?? ''));
    expect(rows).toHaveLength(1);
  });

  test('a request that is carried out again under its id meets the order that it has placed', async () => {
    const asked = askedOf(buyer);
    const outcomes = [await placePartnerOrder(env, asked), await placePartnerOrder(env, asked)];
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: true, value: { report: { orderId: asked.orderId } } });
    const { body } = await lister.client.get<{ orders: OrderBody[] }>('/v1/orders');
    expect(body.orders.filter(({ order_id }) => order_id === asked.orderId)).toHaveLength(1);
  });

  test.each([
    ['whose account was frozen meanwhile', (account: string) => setFacts(account, { frozen: true }), 'account_frozen'],
    [
      'whose investor has lost a check',
      (account: string) => setFacts(account, { kycStatus: 'rejected' }),
      'kyc_incomplete',
    ],
  ] as const)('a repetition %s is refused, and the order stays that of its partner', async (_, happens, reason) => {
    const investor = await introducedInvestor(lister, { cash: 1_000_00 });
    const asked = askedOf(investor);
    expect(await placePartnerOrder(env, asked)).toMatchObject({ ok: true });
    await happens(investor.accountId);
    expect(await placePartnerOrder(env, asked)).toMatchObject({
      ok: false,
      error: { failure: { reason }, orderId: null },
    });
    expect(await read(lister, asked.orderId)).toMatchObject({
      order_id: asked.orderId,
      investor_id: investor.investorId,
    });
    expect((await lister.client.delete(`/v1/orders/${asked.orderId}`)).status).not.toBe(404);
    const listed = await lister.client.get<{ orders: OrderBody[] }>(`/v1/orders?investor_id=${investor.investorId}`);
    expect(listed.body.orders).toMatchObject([{ order_id: asked.orderId }]);
  });

  test('a limit order is good for its day in New York where nothing else is said; fok and ioc do not rest', async () => {
    const { time_in_force: _, ...unsaid } = orderBody(buyer, { price: 1 });
    const day = await place(lister, unsaid);
    expect(day.body).toMatchObject({ time_in_force: 'day', status: 'open' });
    const left = Date.parse(day.body.expires_at ?? '') - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(25 * 3_600_000);
    expect((await place(lister, orderBody(buyer, { price: 1, time_in_force: 'ioc' }))).body).toMatchObject({
      status: 'cancelled',
      time_in_force: 'ioc',
    });
    expect(await place(lister, orderBody(buyer, { price: 1, time_in_force: 'fok' }))).toMatchObject({
      status: 400,
      body: { error: { code: 'FOK_NOT_FILLABLE' } },
    });
  });

  test('a market order trades at once, and takes no other time in force', async () => {
    const { securityId } = await listedSecurity(db, other, 'ATONCE');
    await giveHolding({ accountId: seller.accountId, asset: securityId, lots: [{ quantity: 3 }] });
    const of = { security_id: securityId };
    await placed(other, orderBody(seller, { ...of, side: 'sell', quantity: 1, price: 41 }));
    await placed(lister, orderBody(buyer, { ...of, quantity: 1, price: 41 }));
    await placed(other, orderBody(seller, { ...of, side: 'sell', quantity: 2, price: 41 }));
    const { price: _, time_in_force: __, ...market } = orderBody(buyer, { ...of, order_type: 'market', quantity: 2 });
    expect(await place(lister, market)).toMatchObject({
      status: 201,
      body: { order_type: 'market', time_in_force: 'ioc', status: 'filled', price: null },
    });
    expect(await place(lister, { ...market, time_in_force: 'day' })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ORDER_TYPE', details: { allowed: ['ioc'] } } },
    });
  });

  test.each([
    ['another side', { side: 'short' }, 'VALIDATION_ERROR'],
    ['another type', { order_type: 'stop' }, 'INVALID_ORDER_TYPE'],
    ['another time in force', { time_in_force: 'gtd' }, 'INVALID_ORDER_TYPE'],
    ['a fraction of a share', { quantity: 1.5 }, 'VALIDATION_ERROR'],
    ['no broker-dealer', { broker_dealer: undefined }, 'VALIDATION_ERROR'],
    ['a CRD number of letters', { broker_dealer: { firm_name: 'Juniper', crd_number: 'x1' } }, 'VALIDATION_ERROR'],
    ['a limit order without a price', { price: undefined }, 'VALIDATION_ERROR'],
  ])('%s is 400', async (_, terms, code) => {
    expect(await place(lister, orderBody(buyer, terms))).toMatchObject({ status: 400, body: { error: { code } } });
  });

  test('another partner’s investor, and an account that is not the investor’s, are not there', async () => {
    const second = await introducedInvestor(lister);
    const asked = [
      [lister, orderBody(seller), 'investor_id'],
      [other, orderBody(buyer), 'investor_id'],
      [lister, orderBody({ investorId: buyer.investorId, accountId: second.accountId }), 'account_id'],
      [lister, orderBody({ investorId: buyer.investorId, accountId: seller.accountId }), 'account_id'],
    ] as const;
    for (const [partner, body, field] of asked)
      expect(await place(partner, body)).toMatchObject({ status: 404, body: { error: { details: { field } } } });
  });

  test('a security that is not listed, or not any more, is not there', async () => {
    const of = (securityId: string) => place(lister, orderBody(buyer, { security_id: securityId }));
    const submitted = await listedSecurity(db, lister, 'EARLY', { state: 'submitted' });
    expect(await of(submitted.securityId)).toMatchObject({ status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } });
    expect(await of(uuidv7())).toMatchObject({ status: 404 });
    const delisted = await listedSecurity(db, lister, 'GONE');
    await db.update(securities).set({ state: 'delisted' }).where(eq(securities.id, delisted.securityId));
    expect(await of(delisted.securityId)).toMatchObject({ status: 404 });
  });

  test('a partner who is suspended places none', async () => {
    const partner = await createPartner(db, 'cross_lister');
    const investor = await introducedInvestor(partner, { cash: 1_000_00 });
    const isIts = eq(partnerOrganizations.organization, partner.organization);
    await db.update(partnerOrganizations).set({ state: 'suspended' }).where(isIts);
    skipTime(5_000);
    expect(await place(partner, orderBody(investor))).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { state: 'suspended' } } },
    });
  });
});

test('a partner who is suspended reads and cancels what it has placed, and nobody else’s', async () => {
  const partner = await createPartner(db, 'cross_lister');
  const investor = await introducedInvestor(partner, { cash: 1_000_00 });
  const id = await placed(partner, orderBody(investor, { price: 1, quantity: 1 }));
  const isIts = eq(partnerOrganizations.organization, partner.organization);
  await db.update(partnerOrganizations).set({ state: 'suspended' }).where(isIts);
  skipTime(5_000);
  expect(await read(partner, id)).toMatchObject({ status: 'open' });
  const foreign = await placed(lister, orderBody(buyer, { price: 1, quantity: 1 }));
  expect((await partner.client.delete(`/v1/orders/${foreign}`)).status).toBe(404);
  expect(await partner.client.delete(`/v1/orders/${id}`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  await lister.client.delete(`/v1/orders/${foreign}`);
});

describe('an order whose investor', () => {
  test.each(['kyc', 'sanctions_screening', 'adverse_media_screening', 'transaction_monitoring'] as const)(
    'has not passed %s is refused, and recorded with the rule',
    async (kind) => {
      const investor = await introducedInvestor(lister, { cash: 1_000_00 });
      await setCheck(investor.investorId, kind, { status: 'failed', expiresAt: null });
      expect(await place(lister, orderBody(investor))).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', details: { check: kind, status: 'failed', rule: 'investor_checked' } } },
      });
      const recorded = await db.select().from(orderRefusals).where(eq(orderRefusals.account, investor.accountId));
      expect(recorded).toMatchObject([{ rule: 'investor_checked', code: 'FORBIDDEN', owner: lister.organization }]);
      expect(await db.select().from(partnerOrders).where(eq(partnerOrders.investor, investor.investorId))).toEqual([]);
    },
  );

  test('is not accredited may sell what accredited investors alone may buy', async () => {
    const investor = await introducedInvestor(lister, { name: 'Ada Unaccredited', cash: 1_000_00 });
    await giveHolding({ accountId: investor.accountId, asset: security, lots: [{ quantity: 1 }] });
    expect(await place(lister, orderBody(investor, { quantity: 1 }))).toMatchObject({
      status: 400,
      body: { error: { code: 'ACCREDITATION_REQUIRED', details: { check: 'accreditation' } } },
    });
    await placed(lister, orderBody(investor, { side: 'sell', quantity: 1, price: 900 }));
  });

  test('has a check that ends before it is admitted is refused, though its facts stand', async () => {
    const investor = await introducedInvestor(lister, { cash: 1_000_00 });
    await placed(lister, orderBody(investor, { quantity: 1, price: 1 }));
    await setCheck(investor.investorId, 'kyc', { expiresAt: Date.now() });
    expect(await place(lister, orderBody(investor, { quantity: 1, price: 1 }))).toMatchObject({
      status: 403,
      body: { error: { details: { check: 'kyc', status: 'expired' } } },
    });
  });

  test('fails a check between its own check and its admission is not placed', async () => {
    const investor = await introducedInvestor(lister, { cash: 1_000_00 });
    const asked = askedOf(investor);
    const racing = envWhere(() => setFacts(investor.accountId, { kycStatus: 'rejected' }));
    expect(await placePartnerOrder(racing, asked)).toMatchObject({
      ok: false,
      error: { failure: { reason: 'kyc_incomplete', kycStatus: 'rejected' }, orderId: null },
    });
    expect((await lister.client.get(`/v1/orders/${asked.orderId}`)).status).toBe(404);
    const listed = await lister.client.get(`/v1/orders?investor_id=${investor.investorId}`);
    expect(listed.body).toMatchObject({ orders: [] });
  });

  test('fails a check that is made anew has its open orders cancelled', async () => {
    const investor = await introducedInvestor(lister, { name: 'Ada Winters', cash: 1_000_00 });
    const id = await placed(lister, orderBody(investor, { quantity: 1, price: 1 }));
    await env.DB.prepare('UPDATE investors SET name = ?1 WHERE id = ?2')
      .bind('Ada Sanctioned', investor.investorId)
      .run();
    skipTime(60_000);
    await lister.client.post(`/v1/investors/${investor.investorId}/compliance/sanctions_screening/rescreen`, undefined);
    expect(await read(lister, id)).toMatchObject({ status: 'cancelled', reason: 'revoked' });
    await expectRightLedger();
  });
});

describe('a partner', () => {
  test('lists its own orders alone, newest first, by security, investor and state', async () => {
    const partner = await createPartner(db, 'cross_lister');
    const { securityId } = await listedSecurity(db, partner, 'LISTS');
    const one = await introducedInvestor(partner, { cash: 1_000_00 });
    const two = await introducedInvestor(partner, { cash: 1_000_00 });
    const ids = [
      await placed(partner, orderBody(one, { price: 1, quantity: 1 })),
      await placed(partner, orderBody(two, { price: 1, quantity: 1, security_id: securityId })),
      await placed(partner, orderBody(one, { price: 1, quantity: 1, time_in_force: 'ioc' })),
    ];
    const listed = async (query = '') =>
      (await partner.client.get<{ orders: OrderBody[] }>(`/v1/orders${query}`)).body.orders.map(
        ({ order_id }) => order_id,
      );
    expect(await listed()).toEqual(ids.toReversed());
    expect(await listed(`?security_id=${securityId}`)).toEqual([ids[1]]);
    expect(await listed(`?investor_id=${one.investorId}`)).toEqual([ids[2], ids[0]]);
    expect(await listed('?status=open')).toEqual([ids[1], ids[0]]);
    expect(await listed('?status=open&limit=1')).toEqual([ids[1]]);
    expect(await listed(`?limit=1&cursor=${ids[1]}`)).toEqual([ids[0]]);
    expect((await partner.client.get('/v1/orders?limit=1')).headers.get('link')).toContain(`cursor=${ids[2]}`);
    expect((await partner.client.get('/v1/orders')).headers.get('link')).toBeNull();
    expect(await listed(`?investor_id=${buyer.investorId}`)).toEqual([]);
  });

  test('cancels its own orders alone, though a check of the investor has failed since', async () => {
    const investor = await introducedInvestor(lister, { cash: 1_000_00 });
    const id = await placed(lister, orderBody(investor, { price: 1, quantity: 1 }));
    expect((await other.client.delete(`/v1/orders/${id}`)).status).toBe(404);
    expect((await other.client.get(`/v1/orders/${id}`)).status).toBe(404);
    expect(await read(lister, id)).toMatchObject({ status: 'open' });
    await setCheck(investor.investorId, 'adverse_media_screening', { status: 'failed' });
    const key = { 'idempotency-key': uuidv7() };
    const cancelled = await lister.client.delete(`/v1/orders/${id}`, undefined, key);
    expect(cancelled).toMatchObject({ status: 200, body: { order_id: id, status: 'cancelled', filled_quantity: 0 } });
    expect((await lister.client.delete(`/v1/orders/${id}`, undefined, key)).body).toEqual(cancelled.body);
    expect(await lister.client.delete(`/v1/orders/${id}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'ORDER_NOT_CANCELLABLE' } },
    });
    expect(await read(lister, id)).toMatchObject({ status: 'cancelled' });
  });
});
