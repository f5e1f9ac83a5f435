import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { editAsset, setAssetStatus } from '../../../../../application/operator/change-asset.ts';
import { carryOnAssetChanges } from '../../../../../application/operator/follow-asset-change.ts';
import { putAssetImage } from '../../../../../data/catalog/asset-images.ts';
import { isAssetInUse } from '../../../../../data/catalog/asset-in-use.ts';
import { type AssetRow, changeAsset, findAsset } from '../../../../../data/catalog/assets.ts';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { callWorker } from '../../../fixtures/call-worker.ts';
import { createPair, type PairTerms } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader, type TraderTerms } from '../../../fixtures/create-trader.ts';
import { anyone, type Client, signedIn, tokensOf } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../../fixtures/faulty-ledger.ts';
import { giveHolding } from '../../../fixtures/give-balance.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { EVERY_FIVE_MINUTES, EVERY_HOUR, runCron } from '../../../fixtures/run-cron.ts';
import { skipTime } from '../../../fixtures/skip-time.ts';

/** As long as the public list is kept at the edge. */
const LIST_MS = 3_000;

let db: Database;
let venueOperator: Trader;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(venueOperator);
});

const reason = 'the board asked for it';

async function client(terms: TraderTerms = {}): Promise<Client> {
  return signedIn(await createTrader(db, { cash: 10_000_00, ...terms }));
}

interface Placed {
  readonly data: { readonly orderId: string };
}

async function bid(of: Client, assetId: string): Promise<string> {
  const order = { assetId, side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 10 };
  const { status, body } = await of.post<Placed>('/v1/orders', order);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.data.orderId;
}

const statusOf = async (of: Client, orderId: string) =>
  (await of.get<{ data: { status: string } }>(`/v1/orders/${orderId}`)).body.data.status;

const setStatus = (id: string, status: string, headers?: Record<string, string>) =>
  operator.post(`/v1/operator/assets/${id}/status`, { status, reason }, headers);

const edit = (id: string, change: Record<string, unknown>) =>
  operator.patch(`/v1/operator/assets/${id}`, { ...change, reason });

const listed = async (query = '') =>
  (await anyone().get<{ data: { id: string }[] }>(`/v1/assets${query}`)).body.data.map(({ id }) => id);

describe('states of an asset', () => {
  test('one under review is nobody’s to see or trade until it is approved', async () => {
    await createPair(db, 'FRESH', { asset: { status: 'PENDING' } });
    expect((await anyone().get('/v1/assets/fresh')).status).toBe(404);
    const waiting = await operator.get<{ data: { id: string }[] }>('/v1/operator/assets?status=PENDING');
    expect(waiting.body.data.map(({ id }) => id)).toContain('fresh');
    expect(await setStatus('fresh', 'APPROVED')).toMatchObject({
      status: 200,
      body: { data: { asset: { status: 'APPROVED' }, markets: [] } },
    });
    await bid(await client(), 'fresh');
  });

  test('a suspended one loses its open orders and takes none; its market is resumed once it is approved again', async () => {
    await createPair(db, 'ALDER');
    const buyer = await client();
    const orderId = await bid(buyer, 'alder');
    expect(await setStatus('alder', 'SUSPENDED')).toMatchObject({
      status: 200,
      body: { data: { asset: { status: 'SUSPENDED' }, markets: ['ALDER-USD'] } },
    });
    expect(await statusOf(buyer, orderId)).toBe('CANCELLED');
    const order = { assetId: 'alder', side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 10 };
    const refused = { status: 400, body: { error: { code: 'ASSET_NOT_TRADEABLE' } } };
    expect(await buyer.post('/v1/orders', order)).toMatchObject(refused);
    expect(await listed('?tradeable=true')).not.toContain('alder');
    expect((await operator.post('/v1/operator/markets/ALDER-USD/resume', undefined)).status).toBe(409);
    expect((await setStatus('alder', 'APPROVED')).status).toBe(200);
    expect(await buyer.post('/v1/orders', order)).toMatchObject(refused);
    expect((await operator.post('/v1/operator/markets/ALDER-USD/resume', undefined)).status).toBe(200);
    await bid(buyer, 'alder');
  });

  test('a delisted one closes its market for good, and its holders still see what they hold', async () => {
    await createPair(db, 'BIRCH');
    const holder = await createTrader(db, { cash: 10_000_00 });
    await giveHolding({ accountId: holder.accountId, asset: 'birch', lots: [{ quantity: 3 }] });
    const theirs = await signedIn(holder);
    const orderId = await bid(theirs, 'birch');
    expect((await setStatus('birch', 'DELISTED')).status).toBe(200);
    expect(await statusOf(theirs, orderId)).toBe('CANCELLED');
    expect((await operator.post('/v1/operator/markets/BIRCH-USD/resume', undefined)).status).toBe(409);
    expect(await setStatus('birch', 'APPROVED')).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { from: 'DELISTED', to: 'APPROVED' } } },
    });
    expect(await theirs.get('/v1/portfolio')).toMatchObject({ body: { data: [{ assetId: 'birch', quantity: 3 }] } });
  });

  test('repeated under one Idempotency-Key, a suspension is one action; a later approval stays', async () => {
    await createPair(db, 'CEDAR');
    const key = { 'idempotency-key': uuidv7() };
    const first = await setStatus('cedar', 'SUSPENDED', key);
    await setStatus('cedar', 'APPROVED');
    expect((await setStatus('cedar', 'SUSPENDED', key)).body).toEqual(first.body);
    expect(await anyone().get('/v1/assets/cedar')).toMatchObject({ body: { data: { status: 'APPROVED' } } });
    const trail = await operator.get<{ data: object[] }>('/v1/operator/audit-trail?subject=cedar');
    expect(trail.body.data).toMatchObject([
      { before: { status: 'SUSPENDED' }, after: { status: 'APPROVED' } },
      {
        type: 'operator.asset_status',
        actor: venueOperator.userId,
        details: { reason },
        after: { status: 'SUSPENDED' },
      },
    ]);
  });
});

describe('a change whose request ended before its markets had followed', () => {
  const approvedBy = () => ({ id: uuidv7(), actor: venueOperator.userId, requestId: uuidv7() });
  const forgotten = {
    getByName: () => ({ projected: () => new Promise(() => undefined) }),
  } as unknown as Env['LEDGER'];
  const pending = async (asset: string) =>
    (await env.DB.prepare('SELECT 1 FROM pending_asset_changes WHERE asset = ?1').bind(asset).all()).results.length;

  /** A request that comes no further than the asset. */
  async function endedEarly(asset: string, change: (env: Env) => Promise<unknown>): Promise<void> {
    void change({ ...env, LEDGER: forgotten }).catch(() => undefined);
    await vi.waitFor(async () => expect(await pending(asset)).toBe(1));
  }

  /** Five minutes are over. */
  async function nextRun(): Promise<void> {
    await env.DB.prepare('UPDATE pending_asset_changes SET tried_at = 0').run();
    await runCron(EVERY_FIVE_MINUTES);
  }

  const marketStatus = async (symbol: string) =>
    (await env.DB.prepare('SELECT status FROM markets WHERE symbol = ?1').bind(symbol).first('status')) as string;

  afterEach(clearLedgerFaults);

  test('a suspension is carried on by itself: the market is halted, its open order cancelled, in the name of who asked', async () => {
    await createPair(db, 'ALMOND');
    const buyer = await client();
    const orderId = await bid(buyer, 'almond');
    const action = approvedBy();
    await endedEarly('almond', (dying) => setAssetStatus(dying, { id: 'almond', status: 'SUSPENDED', reason }, action));
    expect([await marketStatus('ALMOND-USD'), await statusOf(buyer, orderId)]).toEqual(['open', 'PENDING']);
    await carryOnAssetChanges(env);
    expect(await marketStatus('ALMOND-USD'), 'its request may still be under way').toBe('open');
    await nextRun();
    expect([await marketStatus('ALMOND-USD'), await statusOf(buyer, orderId)]).toEqual(['halted', 'CANCELLED']);
    expect(await pending('almond')).toBe(0);
    const trail = await operator.get('/v1/operator/audit-trail?subject=ALMOND-USD');
    expect(trail.body).toMatchObject({
      data: [{ actor: venueOperator.userId, requestId: action.requestId, details: { partOf: action.id } }],
    });
    await nextRun();
    expect(
      (await operator.get<{ data: object[] }>('/v1/operator/audit-trail?subject=ALMOND-USD')).body.data,
    ).toHaveLength(1);
    await expectRightLedger();
  });

  test('another accreditation type is carried on: the bids of those who no longer qualify are cancelled', async () => {
    await createPair(db, 'BEECH');
    const buyer = await client();
    const orderId = await bid(buyer, 'beech');
    const change = { accreditationType: '506c', regulation: 'reg_d_506c' } as const;
    await endedEarly('beech', (dying) => editAsset(dying, { id: 'beech', edit: change, reason }, approvedBy()));
    expect(await statusOf(buyer, orderId)).toBe('PENDING');
    await nextRun();
    expect([await statusOf(buyer, orderId), await pending('beech')]).toEqual(['CANCELLED', 0]);
  });

  test('the next request on the asset carries it on, also after a ledger that was away', async () => {
    await createPair(db, 'CHERRY');
    planLedgerFaults({ kills: (point) => point === 'before_apply' });
    expect((await setStatus('cherry', 'SUSPENDED')).status).toBe(503);
    clearLedgerFaults();
    expect([await marketStatus('CHERRY-USD'), await pending('cherry')]).toEqual(['open', 1]);
    expect((await edit('cherry', { name: 'Cherry Inc.' })).status).toBe(200);
    expect([await marketStatus('CHERRY-USD'), await pending('cherry')]).toEqual(['halted', 0]);
  });

  test('a suspension that was lifted meanwhile halts nothing', async () => {
    await createPair(db, 'DATE');
    await endedEarly('date', (dying) =>
      setAssetStatus(dying, { id: 'date', status: 'SUSPENDED', reason }, approvedBy()),
    );
    expect((await setStatus('date', 'APPROVED')).status).toBe(200);
    expect([await marketStatus('DATE-USD'), await pending('date')]).toEqual(['open', 0]);
  });
});

describe('PATCH /v1/operator/assets/{id}', () => {
  test('changes what it says, with the state before and after in the trail', async () => {
    await createPair(db, 'DOGWOOD');
    const change = { name: 'Dogwood Labs', description: 'Trees', image: 'https://example.com/dogwood.png' };
    expect(await edit('dogwood', change)).toMatchObject({
      status: 200,
      body: { data: { asset: change, markets: [] } },
    });
    const { body } = await operator.get('/v1/operator/audit-trail?subject=dogwood');
    expect(body).toMatchObject({
      data: [{ type: 'operator.asset_changed', before: { name: 'DOGWOOD Inc.' }, after: change, details: { reason } }],
    });
  });

  test('another accreditation type cancels the bids of those who no longer qualify, and theirs alone', async () => {
    await createPair(db, 'ELM');
    const [anyInvestor, verified] = await Promise.all([
      client(),
      client({ accreditationStatus: 'completed', accreditationType: '506c' }),
    ]);
    const theirs = await bid(anyInvestor, 'elm');
    const kept = await bid(verified, 'elm');
    expect(await edit('elm', { accreditationType: '506c', regulation: 'reg_d_506c' })).toMatchObject({
      status: 200,
      body: { data: { markets: ['ELM-USD'], cancelledOrders: [theirs] } },
    });
    expect(await statusOf(anyInvestor, theirs)).toBe('CANCELLED');
    expect(await statusOf(verified, kept)).toBe('PENDING');
    const order = { assetId: 'elm', side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 10 };
    expect(await anyInvestor.post('/v1/orders', order)).toMatchObject({
      status: 400,
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
  });

  const inUse = {
    status: 409,
    body: { error: { code: 'CONFLICT', details: { field: 'regulation', reason: 'asset_in_use' } } },
  };

  test('another regulation is refused once somebody holds the asset: their lots may have been sold under it', async () => {
    await createPair(db, 'LARCH', { asset: { regulation: 'reg_s' } });
    expect((await edit('larch', { regulation: 'reg_cf' })).status).toBe(200);
    expect((await edit('larch', { regulation: 'reg_s' })).status).toBe(200);
    const holder = await createTrader(db, { cash: 10_000_00, usPerson: false });
    const restrictionEndsAt = Date.now() + 1_000_000;
    await giveHolding({ accountId: holder.accountId, asset: 'larch', lots: [{ quantity: 3, restrictionEndsAt }] });
    expect(await edit('larch', { regulation: 'reg_a' })).toMatchObject(inUse);
    expect(await edit('larch', { regulation: null })).toMatchObject(inUse);
    expect((await edit('larch', { regulation: 'reg_s', name: 'Larch' })).status).toBe(200);
    const ask = { assetId: 'larch', side: 'SELL', orderType: 'limit', quantity: 1, limitPrice: 10 };
    expect(await (await signedIn(holder)).post('/v1/orders', ask)).toMatchObject({ status: 200 });
  });

  test('another regulation is refused once the asset was traded, also when nobody holds any more', async () => {
    await createPair(db, 'MAPLE', { asset: { regulation: 'reg_cf' } });
    const [buyer, seller] = [await createTrader(db, { cash: 10_000_00 }), await createTrader(db, { cash: 0 })];
    await giveHolding({ accountId: seller.accountId, asset: 'maple', lots: [{ quantity: 1 }] });
    await bid(await signedIn(buyer), 'maple');
    const ask = { assetId: 'maple', side: 'SELL', orderType: 'limit', quantity: 1, limitPrice: 10 };
    expect((await (await signedIn(seller)).post('/v1/orders', ask)).status).toBe(200);
    const withdrawal = { accountId: buyer.accountId, assetId: 'maple', amount: 1 };
    expect((await operator.post('/v1/operator/withdrawals', withdrawal)).status).toBe(200);
    expect(await edit('maple', { regulation: 'reg_a' })).toMatchObject(inUse);
  });

  test('what was read before a deposit does not give the asset another regulation after it', async () => {
    await createPair(db, 'OAK', { asset: { regulation: 'reg_s' } });
    const asset = await findAsset(db, 'oak');
    const holder = await createTrader(db, { cash: 0, usPerson: false });
    await giveHolding({ accountId: holder.accountId, asset: 'oak', lots: [{ quantity: 3 }] });
    await vi.waitFor(async () => expect(await isAssetInUse(db, 'oak')).toBe(true));
    const change = { regulation: 'reg_a' } as const;
    const action = { id: uuidv7(), actor: venueOperator.userId, requestId: uuidv7() };
    const terms = { asset: asset as AssetRow, change, type: 'operator.asset_changed', reason, now: Date.now() };
    expect(await changeAsset(db, terms, action)).toBe(false);
    expect(await findAsset(db, 'oak')).toEqual(asset);
  });

  test('tradeable: false is heard at once by whoever checks orders', async () => {
    await createPair(db, 'FIR');
    const buyer = await client();
    await bid(buyer, 'fir');
    expect((await edit('fir', { tradeable: false })).status).toBe(200);
    const order = { assetId: 'fir', side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 10 };
    expect(await buyer.post('/v1/orders', order)).toMatchObject({
      status: 400,
      body: { error: { code: 'ASSET_NOT_TRADEABLE' } },
    });
  });

  test.each([
    { symbol: 'OTHER' },
    { scale: 3 },
    { accreditationType: '506b', regulation: 'reg_d_506c' },
    { image: 'ftp://x' },
  ])('refuses %o', async (change) => {
    await createPair(db, 'GINKGO');
    expect(await edit('ginkgo', change)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  });

  test('is 404 for an asset that there is not, and for a currency', async () => {
    expect((await edit('nowhere', { name: 'X' })).status).toBe(404);
    expect((await edit('usd', { name: 'X' })).status).toBe(404);
    expect((await setStatus('usd', 'SUSPENDED')).status).toBe(404);
  });

  test('is nothing for an operator of another organization', async () => {
    const theirs = await signedIn(await createTrader(db, { roles: ['operator'] }));
    expect((await theirs.patch('/v1/operator/assets/elm', { name: 'Mine', reason })).status).toBe(403);
    expect((await theirs.post('/v1/operator/assets/elm/status', { status: 'DELISTED', reason })).status).toBe(403);
    expect((await theirs.get('/v1/operator/assets')).status).toBe(403);
  });
});

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3);

describe('image of an asset', () => {
  const pair = (symbol: string, asset: PairTerms['asset'] = {}) => createPair(db, symbol, { asset });
  const imageOf = async (id: string) =>
    (await anyone().get<{ data: { image: string } }>(`/v1/assets/${id}`)).body.data.image;
  const upload = async (id: string, body: Uint8Array<ArrayBuffer>) =>
    callWorker(`http://localhost/exchange/v1/operator/assets/${id}/image`, {
      method: 'PUT',
      headers: { ...(await tokensOf(venueOperator)), 'content-type': 'image/png' },
      body,
    });

  test('is its monogram until one is uploaded, and then that, under the address that the asset names', async () => {
    await pair('HAZEL');
    const address = await imageOf('hazel');
    expect(address).toBe('http://localhost/exchange/v1/assets/hazel/image');
    const monogram = await callWorker(address);
    expect([monogram.status, monogram.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await monogram.text()).toContain('>HAZE<');
    expect((await upload('hazel', PNG)).status).toBe(200);
    const uploaded = await callWorker(`${address}?again`);
    expect(uploaded.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await uploaded.arrayBuffer())).toEqual(PNG);
    expect((await edit('hazel', { image: 'https://example.com/h.png' })).status).toBe(200);
    // An isolate goes by an asset that it has read for five seconds.
    skipTime(5_001);
    expect(await imageOf('hazel')).toBe('https://example.com/h.png');
  });

  test('that was replaced, or never came to its asset, is deleted after a month; the one that is named stays', async () => {
    await pair('KAPOK');
    const stored = async () => (await env.ASSET_IMAGES.list({ prefix: 'kapok/' })).objects.map(({ key }) => key);
    expect((await upload('kapok', PNG)).status).toBe(200);
    const [first] = await stored();
    const other = Uint8Array.of(...PNG, 4);
    expect((await upload('kapok', other)).status).toBe(200);
    const second = (await stored()).filter((key) => key !== first);
    expect(second).toHaveLength(1);
    const bucket = { db, bucket: env.ASSET_IMAGES };
    const dropped = { assetId: 'kapok', actionId: uuidv7(), hash: 'ab', type: 'image/png', now: 0 } as const;
    await putAssetImage(bucket, { ...dropped, image: new ArrayBuffer(1) });
    await runCron(EVERY_HOUR);
    expect(await stored(), 'D1 may be restored to a time at which it was named').toContain(first);
    const monthLater = () => env.DB.prepare('UPDATE unreferenced_images SET since = since - 32 * 86400000').run();
    await monthLater();
    await runCron(EVERY_HOUR);
    expect(await stored()).toEqual(second);
    const shown = await callWorker(await imageOf('kapok'));
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(other);

    expect((await upload('kapok', PNG)).status).toBe(200);
    await monthLater();
    await runCron(EVERY_HOUR);
    expect(new Uint8Array(await (await callWorker(`${await imageOf('kapok')}?again`)).arrayBuffer())).toEqual(PNG);
    expect(await stored()).toHaveLength(1);
  });

  test('the same one again stores nothing', async () => {
    await pair('LIME');
    for (let times = 0; times < 2; times++) expect((await upload('lime', PNG)).status).toBe(200);
    expect((await env.ASSET_IMAGES.list({ prefix: 'lime/' })).objects).toHaveLength(1);
  });

  test('is told by its content', async () => {
    await pair('IVY');
    const script = Uint8Array.from('<svg onload="alert(1)"/>', (letter) => letter.charCodeAt(0));
    expect((await upload('ivy', script)).status).toBe(415);
    expect((await upload('nowhere', PNG)).status).toBe(404);
  });

  test('under 506(b) is for those who may see the asset', async () => {
    await pair('JUNIPER', { accreditationType: '506b', regulation: 'reg_d_506b' });
    const image = 'http://localhost/exchange/v1/assets/juniper/image';
    expect((await callWorker(image)).status).toBe(404);
    const investor = await createTrader(db, { accreditationStatus: 'completed', accreditationType: '506b' });
    const shown = await callWorker(image, { headers: await tokensOf(investor) });
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  });
});

test('tradeable=true lists what takes an order now: no halted market, no asset without one', async () => {
  await createPair(db, 'LARCH');
  expect(await listed('?tradeable=true')).toContain('larch');
  await operator.post('/v1/operator/markets/LARCH-USD/halt', undefined);
  skipTime(LIST_MS);
  expect(await listed('?tradeable=true')).not.toContain('larch');
  expect(await listed('?tradeable=false')).toContain('larch');
  expect(await anyone().get('/v1/assets/larch')).toMatchObject({ body: { data: { tradeable: false } } });
  await expectRightLedger();
});

test('an asset without a market has the price that an operator has stated, in list, quote and portfolio alike', async () => {
  const made = await operator.post<{ data: { id: string; referencePrice: number } }>('/v1/operator/assets', {
    symbol: 'PRICED',
    name: 'Priced Inc.',
    category: 'stocks',
    scale: 0,
    referencePrice: 212.5,
  });
  expect(made.body.data.referencePrice).toBe(212.5);
  const { id } = made.body.data;
  const trader = await createTrader(db);
  await giveHolding({ accountId: trader.accountId, asset: id, lots: [{ quantity: 2, cost: 300_00 }] });
  const holder = await signedIn(trader);
  const shown = async () => {
    const list = await anyone().get<{ data: { price: number }[] }>('/v1/assets?search=PRICED');
    const portfolio = await holder.get<{ data: { currentPrice: number; marketValue: number }[] }>('/v1/portfolio');
    const [holding] = portfolio.body.data;
    return [list.body.data[0]?.price, holding?.currentPrice, holding?.marketValue];
  };
  expect(await shown()).toEqual([212.5, 212.5, 425]);
  expect((await anyone().get(`/v1/assets/${id}/quote`)).body).toMatchObject({ last: 212.5, prevClose: 212.5 });
  expect((await edit(id, { referencePrice: 200 })).status).toBe(200);
  skipTime(LIST_MS);
  expect(await shown()).toEqual([200, 200, 400]);
  expect((await edit(id, { referencePrice: null })).status).toBe(200);
  skipTime(LIST_MS);
  expect(await shown()).toEqual([0, 0, 300]);
  for (const referencePrice of [0, -1, 1.00001, 1e12]) expect((await edit(id, { referencePrice })).status).toBe(400);
});
