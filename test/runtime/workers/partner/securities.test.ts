import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnSecurities } from '../../../../application/partner/securities/follow-security.ts';
import { findAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { findMarket } from '../../../../data/markets/markets.ts';
import { securities } from '../../../../data/schema/partner.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import type { SecurityListing } from '../../../../domain/partner/security.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { CROSS_LIST, crossListed, venueOperator } from '../../fixtures/cross-list.ts';
import type { Client } from '../../fixtures/exchange-client.ts';
import { anyone } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  operator = await venueOperator(db);
});

const idsOf = (body: unknown) =>
  (body as { securities: { security_id: string }[] }).securities.map(({ security_id }) => security_id);

describe('GET /v1/securities', () => {
  test('lists a lister’s own, page by page and by status, and nobody else’s', async () => {
    const lister = await createPartner(db, 'cross_lister');
    const [first, second] = [await createSecurity(db, lister), await createSecurity(db, lister, { state: 'listed' })];
    await createSecurity(db, await createPartner(db, 'cross_lister'));
    expect(idsOf((await lister.client.get('/v1/securities')).body)).toEqual([first, second]);
    expect(idsOf((await lister.client.get('/v1/securities?status=listed')).body)).toEqual([second]);
    const page = await lister.client.get('/v1/securities?limit=1');
    expect(page.headers.get('link')).toContain(`cursor=${first}`);
    expect(idsOf((await lister.client.get(`/v1/securities?limit=1&cursor=${first}`)).body)).toEqual([second]);
  });

  test('lists a transfer agent those that name it, unless it has declined', async () => {
    const [lister, agent] = [await createPartner(db, 'cross_lister'), await createPartner(db, 'transfer_agent')];
    const naming = (agentState: 'proposed' | 'accepted' | 'declined') =>
      createSecurity(db, lister, { transferAgent: agent.organization, agentState });
    const seen = [await naming('proposed'), await naming('accepted')];
    const declined = await naming('declined');
    expect(idsOf((await agent.client.get('/v1/securities')).body)).toEqual(seen);
    expect((await agent.client.get(`/v1/securities/${declined}`)).status).toBe(404);
  });
});

describe('GET /v1/securities/{id}', () => {
  test('shows both sets of restrictions and which of them is in effect', async () => {
    const lister = await createPartner(db, 'cross_lister');
    const id = await createSecurity(db, lister, { agentRestrictions: { lockUpExpiryDate: '2027-03-01' } });
    expect(await lister.client.get(`/v1/securities/${id}`)).toMatchObject({
      status: 200,
      body: {
        security_id: id,
        status: 'submitted',
        last_valuation_price: 42.5,
        restrictions: { legend_required: true, lock_up_expiry_date: '2027-03-01' },
        lister_restrictions: { lock_up_expiry_date: null },
        agent_restrictions: { lock_up_expiry_date: '2027-03-01' },
      },
    });
  });
});

const YEAR_AHEAD = new Date(Date.now() + 365 * DAY_MS).toISOString().slice(0, 10);
const reason = { reason: 'looked at' };
const detailOf = async (id: string) => (await lister.client.get<Record<string, unknown>>(`/v1/securities/${id}`)).body;

/** Somebody accredited with ten shares and cash. */
async function holderOf(asset: string): Promise<KeyHolder> {
  const holder = await createKeyHolder(db, {
    cash: 100_000,
    accreditationStatus: 'completed',
    accreditationType: '506c',
  });
  await giveHolding({ accountId: holder.accountId, asset, lots: [{ quantity: 10 }] });
  return holder;
}

const order = (symbol: string, side: 'buy' | 'sell', price = 42) => ({
  symbol,
  side,
  type: 'limit',
  price,
  size: 2,
  time_in_force: 'GTC',
});

describe('POST /v1/securities', () => {
  test('takes every field, and repeated under one Idempotency-Key submits once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const submit = () => lister.client.post<{ security_id: string }>('/v1/securities', CROSS_LIST, headers);
    const first = await submit();
    expect(first).toMatchObject({
      status: 201,
      body: { ...CROSS_LIST, status: 'submitted', symbol: null, market: null },
    });
    expect((await submit()).body.security_id).toBe(first.body.security_id);
    expect(await detailOf(first.body.security_id)).toMatchObject(CROSS_LIST);
  });

  test.each([
    'private_corporation',
    'limited_liability_company',
    'limited_partnership',
    'public_company',
    'sole_proprietorship',
    'special_purpose_vehicle',
    'trust',
  ])('takes an issuer of the type %s', async (issuer_type) => {
    const request = { ...CROSS_LIST, issuer_type, cusip: null, isin: null };
    expect(await lister.client.post('/v1/securities', request)).toMatchObject({ status: 201, body: { issuer_type } });
  });

  test.each([
    ['a CUSIP whose check digit is wrong', { cusip: '037833101' }],
    ['an ISIN whose check digit is wrong', { isin: 'US0378331006' }],
    ['an ISIN of another security than the CUSIP', { isin: 'US5949181045' }],
    ['a currency that the venue has not', { currency: 'XXX' }],
    ['an asset as its currency, which is none', { currency: '' }],
    ['a valuation of the future', { last_valuation_date: YEAR_AHEAD }],
    ['a valuation of nothing', { last_valuation_price: 0 }],
    ['a valuation of five decimals', { last_valuation_price: 1.00001 }],
    ['another type of issuer', { issuer_type: 'guild' }],
    ['another type of asset', { asset_type: 'token' }],
    ['restrictions that leave a field out', { restrictions: { legend_required: true } }],
    ['an agent that is none', { transfer_agent_id: 'nobody' }],
  ])('refuses %s', async (_, change) => {
    expect((await lister.client.post('/v1/securities', { ...CROSS_LIST, ...change })).status).toBe(400);
  });

  test('is for cross-listers alone', async () => {
    expect((await agent.client.post('/v1/securities', CROSS_LIST)).status).toBe(403);
  });
});

describe('listing', () => {
  test('makes asset and order book: private rail, 506c, shares whole, quoted live', async () => {
    const { id, symbol, market } = await crossListed(lister, operator);
    expect(await detailOf(id)).toMatchObject({
      status: 'listed',
      symbol,
      market,
      quote: { bid: null, ask: null, last: null },
    });
    await skipTime(3_000);
    expect((await anyone().get(`/v1/assets/${id}`)).body).toMatchObject({
      data: {
        id,
        symbol,
        marketRail: 'private',
        type: 'privates',
        accreditationType: '506c',
        issuerName: CROSS_LIST.issuer_name,
      },
    });
    const holder = await holderOf(id);
    expect((await holder.client.post('/v1/orders', order(market, 'buy'))).status).toBe(200);
    expect((await holder.client.post('/v1/orders', order(market, 'sell', 43))).status).toBe(200);
    expect(await detailOf(id)).toMatchObject({ quote: { bid: 42, ask: 43, last: null } });
    const unaccredited = await createKeyHolder(db, { cash: 100_000 });
    expect(await unaccredited.client.post('/v1/orders', order(market, 'buy'))).toMatchObject({
      status: 400,
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
    await expectRightLedger();
  });

  test('under another regulation has its accreditation, where an operator says so', async () => {
    const { id } = await crossListed(
      lister,
      operator,
      {},
      { regulation: 'reg_d_506b', scale: 2, lotSize: 0.01, minSize: 0.01, priceScale: 0, tickSize: 1 },
    );
    expect(await findAsset(db, id)).toMatchObject({ accreditationType: '506b', regulation: 'reg_d_506b', scale: 2 });
  });

  test('T-05: opens its market at the price of its last valuation with a band, so that no first sale is for next to nothing', async () => {
    const { id, market } = await crossListed(lister, operator);
    expect(await findMarket(db, market)).toMatchObject({ referencePrice: 42_50, bandBps: 2_000, bandHaltSeconds: 0 });
    const holder = await holderOf(id);
    expect(await holder.client.post('/v1/orders', order(market, 'buy', 1))).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'outside_price_band', low: 34, high: 51 } } },
    });
    await holder.client.post('/v1/orders', order(market, 'buy', 34));
    const sale = { symbol: market, side: 'sell', type: 'market', size: 1 };
    expect((await holder.client.post('/v1/orders', sale)).body).toMatchObject({ status: 'cancelled', filled_size: 0 });
  });

  test('opens its market under the band and the reference price that an operator states', async () => {
    const terms = { referencePrice: 10, bandBps: 1_000, bandHaltSeconds: 60 };
    const { market } = await crossListed(lister, operator, {}, terms);
    expect(await findMarket(db, market)).toMatchObject({ ...terms, referencePrice: 10_00 });
  });

  test('refused for its symbol or its market leaves it submitted, and it may be listed under other terms', async () => {
    const { symbol } = await crossListed(lister, operator);
    const id = await createSecurity(db, lister);
    const list = (terms: object) => operator.post(`/v1/operator/securities/${id}/list`, { ...reason, ...terms });
    expect((await list({ symbol })).status).toBe(409);
    expect((await list({ symbol: `${symbol}X`, tickSize: 0.001 })).status).toBe(400);
    expect(await detailOf(id)).toMatchObject({ status: 'submitted' });
    expect((await anyone().get(`/v1/assets/${id}`)).status).toBe(404);
    expect(await list({ symbol: `${symbol}X` })).toMatchObject({
      status: 200,
      body: { data: { state: 'listed', isPending: false } },
    });
  });

  test('that was cut short is carried on', async () => {
    const id = await createSecurity(db, lister);
    const symbol = `CUT${id.slice(-5).toUpperCase()}`;
    const listing: SecurityListing = {
      ...{ symbol, scale: 0, priceScale: 2, tickSize: 0.01 },
      regulation: 'reg_d_506c',
      accreditationType: '506c',
      ...{ lotSize: 1, minSize: 1, maxSize: 1_000, makerFeeBps: 0, takerFeeBps: 0 },
    };
    const action = { id: crypto.randomUUID(), actor: 'operator', requestId: 'cut-short' };
    await db
      .update(securities)
      .set({ pending: { ...action, reason: 'in order', step: 'listing', listing } })
      .where(eq(securities.id, id));
    await carryOnSecurities(env);
    expect(await detailOf(id)).toMatchObject({ status: 'listed', market: `${symbol}-USD` });
  });
});

describe('a halt', () => {
  test('cancels open orders and refuses others; only who has halted lifts it, an operator every one', async () => {
    const { id, market } = await crossListed(lister, operator);
    const holder = await holderOf(id);
    const placed = await holder.client.post('/v1/orders', order(market, 'sell'));
    expect(await lister.client.post(`/v1/securities/${id}/halt`, reason)).toMatchObject({
      status: 200,
      body: { status: 'halted', status_reason: 'looked at' },
    });
    expect((await holder.client.get(`/v1/orders/${placed.body.order_id}`)).body).toMatchObject({ status: 'cancelled' });
    await skipTime(5_000);
    expect((await holder.client.post('/v1/orders', order(market, 'sell'))).status).not.toBe(200);
    expect(await lister.client.post(`/v1/securities/${id}/lift`, reason)).toMatchObject({ body: { status: 'listed' } });
    await skipTime(5_000);
    expect((await holder.client.post('/v1/orders', order(market, 'sell'))).status).toBe(200);
    await operator.post(`/v1/operator/securities/${id}/halt`, reason);
    expect(await lister.client.post(`/v1/securities/${id}/lift`, reason)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'halted_by_operator' } } },
    });
    expect(await operator.post(`/v1/operator/securities/${id}/lift`, reason)).toMatchObject({
      body: { data: { state: 'listed' } },
    });
    await expectRightLedger();
  });
});

describe('what an operator has stopped', () => {
  const refused = { status: 409, body: { error: { details: { reason: 'halted_by_operator' } } } };
  const haltAndLift = async (id: string) => {
    expect(await lister.client.post(`/v1/securities/${id}/halt`, reason)).toMatchObject({ body: { status: 'halted' } });
    expect(await lister.client.post(`/v1/securities/${id}/lift`, reason)).toMatchObject(refused);
  };

  test('a market halted by itself stays so when its lister halts and lifts the security', async () => {
    const { id, market } = await crossListed(lister, operator);
    const holder = await holderOf(id);
    expect((await operator.post(`/v1/operator/markets/${market}/halt`, reason)).status).toBe(200);
    await haltAndLift(id);
    await skipTime(5_000);
    expect(await holder.client.post('/v1/orders', order(market, 'sell'))).not.toMatchObject({ status: 200 });
    await operator.post(`/v1/operator/securities/${id}/lift`, reason);
    await skipTime(5_000);
    expect((await holder.client.post('/v1/orders', order(market, 'sell'))).status).toBe(200);
  });

  test('an asset suspended by itself stays so', async () => {
    const { id } = await crossListed(lister, operator);
    await operator.post(`/v1/operator/assets/${id}/status`, { ...reason, status: 'SUSPENDED' });
    await haltAndLift(id);
    expect(await findAsset(db, id)).toMatchObject({ status: 'SUSPENDED' });
  });

  test.each([
    ['its market', (_: string, market: string) => operator.post(`/v1/operator/markets/${market}/halt`, reason)],
    ['the security', (id: string) => operator.post(`/v1/operator/securities/${id}/halt`, reason)],
    [
      'its asset, approved meanwhile',
      async (id: string) => {
        await operator.post(`/v1/operator/assets/${id}/status`, { ...reason, status: 'APPROVED' });
        return operator.post(`/v1/operator/assets/${id}/status`, { ...reason, status: 'SUSPENDED' });
      },
    ],
  ])('a halt of its lister is an operator’s who then stops %s', async (_, stop) => {
    const { id, market } = await crossListed(lister, operator);
    await lister.client.post(`/v1/securities/${id}/halt`, reason);
    expect((await stop(id, market)).status).toBe(200);
    expect(await lister.client.post(`/v1/securities/${id}/lift`, reason)).toMatchObject(refused);
    expect(await findAsset(db, id)).toMatchObject({ status: 'SUSPENDED' });
  });
});

describe('DELETE /v1/securities/{id}', () => {
  test('cancels open orders, leaves holders what they hold, and is final', async () => {
    const { id, market } = await crossListed(lister, operator);
    const holder = await holderOf(id);
    const placed = await holder.client.post('/v1/orders', order(market, 'sell'));
    expect(await lister.client.delete(`/v1/securities/${id}`)).toMatchObject({
      status: 200,
      body: { status: 'delisted' },
    });
    expect((await holder.client.get(`/v1/orders/${placed.body.order_id}`)).body).toMatchObject({ status: 'cancelled' });
    expect((await lister.client.delete(`/v1/securities/${id}`)).status).toBe(409);
    expect((await lister.client.patch(`/v1/securities/${id}`, { last_valuation_price: 1 })).status).toBe(409);
    const balances = (await holder.client.get('/v1/account/balances')).body as { balances: { free: number }[] };
    expect(balances.balances.some(({ free }) => free === 10)).toBe(true);
    await expectRightLedger();
  });
});

describe('restrictions', () => {
  test('a lock-up refuses every sell at once, by name, cancels those that stand, and ends with its date', async () => {
    const { id, market } = await crossListed(lister, operator);
    const holder = await holderOf(id);
    const [buy, sell] = [
      await holder.client.post('/v1/orders', order(market, 'buy')),
      await holder.client.post('/v1/orders', order(market, 'sell', 43)),
    ];
    const lockUp = (lock_up_expiry_date: string | null) =>
      lister.client.patch(`/v1/securities/${id}`, { restrictions: { lock_up_expiry_date } });
    expect(await lockUp(YEAR_AHEAD)).toMatchObject({
      status: 200,
      body: { restrictions: { lock_up_expiry_date: YEAR_AHEAD } },
    });
    expect((await holder.client.get(`/v1/orders/${sell.body.order_id}`)).body).toMatchObject({ status: 'cancelled' });
    expect((await holder.client.get(`/v1/orders/${buy.body.order_id}`)).body).toMatchObject({ status: 'open' });
    expect(await holder.client.post('/v1/orders', order(market, 'sell', 43))).toMatchObject({
      status: 400,
      body: { error: { code: 'RESALE_RESTRICTED', details: { rule: 'issuer_lockup' } } },
    });
    await lockUp(null);
    await skipTime(5_000);
    expect((await holder.client.post('/v1/orders', order(market, 'sell', 43))).status).toBe(200);
    await expectRightLedger();
  });

  test('of the transfer agent count before the lister’s, from its acceptance on, until an operator releases it', async () => {
    const { id, market } = await crossListed(lister, operator, { transfer_agent_id: agent.organization });
    const path = `/v1/securities/${id}/restrictions`;
    const locked = { lock_up_expiry_date: YEAR_AHEAD };
    expect(await agent.client.patch(path, locked)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_accepted' } } },
    });
    expect(await agent.client.post(`/v1/securities/${id}/agent`, { accepted: true })).toMatchObject({
      body: { transfer_agent_state: 'accepted' },
    });
    expect(await agent.client.patch(path, locked)).toMatchObject({
      status: 200,
      body: { ...locked, legend_required: true },
    });
    const holder = await holderOf(id);
    expect((await holder.client.post('/v1/orders', order(market, 'sell'))).status).toBe(400);
    expect(await lister.client.patch(path, { lock_up_expiry_date: null })).toMatchObject({
      body: { ...locked, lister_restrictions: { lock_up_expiry_date: null }, agent_restrictions: locked },
    });
    const other = await createPartner(db, 'transfer_agent');
    expect(await lister.client.patch(`/v1/securities/${id}`, { transfer_agent_id: other.organization })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'agent_accepted' } } },
    });
    await operator.post(`/v1/operator/securities/${id}/release-agent`, reason);
    expect((await agent.client.get(path)).status).toBe(404);
    await skipTime(5_000);
    expect((await holder.client.post('/v1/orders', order(market, 'sell'))).status).toBe(200);
  });

  test('a declined proposal is gone for the agent, and another may be made', async () => {
    const id = await createSecurity(db, lister, { transferAgent: agent.organization, agentState: 'proposed' });
    await agent.client.post(`/v1/securities/${id}/agent`, { accepted: false, reason: 'no capacity' });
    expect(await detailOf(id)).toMatchObject({ transfer_agent_state: 'declined' });
    const other = await createPartner(db, 'transfer_agent');
    expect(await lister.client.patch(`/v1/securities/${id}`, { transfer_agent_id: other.organization })).toMatchObject({
      body: { transfer_agent_id: other.organization, transfer_agent_state: 'proposed' },
    });
  });
});

describe('PATCH /v1/securities/{id}', () => {
  test('changes valuation and restrictions, and nothing else', async () => {
    const id = await createSecurity(db, lister);
    const edit = {
      last_valuation_price: 43.75,
      last_valuation_date: '2026-09-30',
      restrictions: { legend_required: false, rule_144_holding_period_met: true, transfer_restrictions: 'none' },
    };
    const before = await detailOf(id);
    expect(await lister.client.patch(`/v1/securities/${id}`, edit)).toMatchObject({ status: 200, body: edit });
    const after = await detailOf(id);
    expect(after).toMatchObject({
      ...edit,
      restrictions: { ...edit.restrictions, lock_up_expiry_date: null },
      lister_restrictions: edit.restrictions,
    });
    for (const kept of ['asset_name', 'issuer_name', 'share_class', 'currency', 'status'])
      expect(after[kept], kept).toEqual(before[kept]);
    for (const wrong of [{}, { issuer_name: 'Another' }, { last_valuation_date: YEAR_AHEAD }])
      expect((await lister.client.patch(`/v1/securities/${id}`, wrong)).status).toBe(400);
  });
});
