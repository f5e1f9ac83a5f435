import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { allotShares } from '../../../../../application/listing/allot-shares.ts';
import { carryOnListing, carryOnListings } from '../../../../../application/listing/carry-on-listing.ts';
import { offerShares } from '../../../../../application/listing/offer-shares.ts';
import { submitToBook } from '../../../../../application/order-book/submit-to-book.ts';
import type { Database } from '../../../../../data/database.ts';
import { recordResults } from '../../../../../data/listing/allotments.ts';
import { findListing } from '../../../../../data/listing/listing-events.ts';
import { findMarket } from '../../../../../data/markets/markets.ts';
import { addMonths } from '../../../../../domain/calendar/add-months.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../../domain/calendar/durations.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { balanceOf } from '../../../fixtures/book-commands.ts';
import { createPair, type PairTerms } from '../../../fixtures/create-pair.ts';
import { createTrader, type TraderTerms } from '../../../fixtures/create-trader.ts';
import { type Client, type ErrorBody, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { clearFaults, faults } from '../../../fixtures/faults.ts';
import { giveHolding } from '../../../fixtures/give-balance.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { setFacts, setRules } from '../../../fixtures/operate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { settle } from '../../../fixtures/settle.ts';
import { skipTime } from '../../../fixtures/skip-time.ts';
import { orderOf, type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

const VERIFIED: TraderTerms = { accreditationStatus: 'completed', accreditationType: '506c' };
const CASH = 1_000_000_00;

let db: Database;
let operator: Client;
let assets = 0;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ELSEWHERE');
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

afterEach(async () => {
  clearFaults();
  await expectRightLedger();
});

interface Started {
  readonly id: string;
  readonly book: string;
  readonly issuer: TradingClient;
}

/** A pre-IPO asset of its own for every test, whose issuer has so many shares; 10 bps for buyers and sellers. */
async function startup(shares = 1_000, more: PairTerms['asset'] = {}): Promise<Started> {
  const symbol = `START${assets++}`;
  const id = symbol.toLowerCase();
  const issuer = await tradingClient(db, { owner: 'issuer-org' });
  await createPair(db, symbol, {
    asset: {
      category: 'pre-ipo',
      executionRoute: 'indication',
      accreditationType: '506c',
      regulation: 'reg_d_506c',
      offeringType: '506c',
      issuerAccount: issuer.accountId,
      ...more,
    },
    market: { route: 'indication', makerFeeBps: 10, takerFeeBps: 10 },
  });
  if (shares > 0) await giveHolding({ accountId: issuer.accountId, asset: id, lots: [{ quantity: shares }] });
  return { id, book: `${symbol}.IOI-USD`, issuer };
}

interface Indicated {
  readonly client: TradingClient;
  readonly orderId: string;
}

async function indicate(
  { id }: Started,
  quantity: number,
  limitPrice: number,
  terms: TraderTerms = {},
): Promise<Indicated> {
  const client = await tradingClient(db, { cash: CASH, ...VERIFIED, ...terms });
  const orderId = await placed(client, { ...limitOrder(id, 'BUY', quantity, limitPrice), isPreIPO: true });
  return { client, orderId };
}

interface Event {
  readonly eventId: string;
  readonly state: string;
  readonly outcomes: Readonly<Record<string, { readonly indications: number; readonly shares: number }>>;
}

const TERMS = { price: 20, sharesOffered: 900, allocation: 'pro_rata', lockupMonths: 6 };

async function list({ id }: Started, terms: Record<string, unknown> = {}, headers?: Record<string, string>) {
  const path = `/v1/operator/assets/${id}/listing-event`;
  const { status, body } = await operator.post<{ data: Event } & ErrorBody>(path, { ...TERMS, ...terms }, headers);
  return { status, event: body.data, error: body.error };
}

async function reportOf({ id }: Started, { eventId }: Pick<Event, 'eventId'>): Promise<Record<string, unknown>[]> {
  const path = `/v1/operator/assets/${id}/listing-events/${eventId}/indications`;
  const { body } = await operator.get<{ data: Record<string, unknown>[] }>(path);
  return body.data;
}

const stateOf = async ({ client, orderId }: Indicated) => (await orderOf(client, orderId)).indication;

/** An event of which the book has heard nothing yet. */
async function withFirstStepsAlone(asset: Started) {
  faults.plan = { kills: () => true, ledger: () => 'through' };
  const { event } = await list(asset);
  clearFaults();
  const row = await findListing(db, asset.id, event.eventId);
  if (row === null) throw new Error('no such event');
  return { event: row };
}

describe('the listing event', () => {
  test('turns indications firm at the terms: pro rata, filled from the issuer, with lockups on the lots', async () => {
    const asset = await startup();
    const one = await indicate(asset, 1_000, 25);
    const two = await indicate(asset, 600, 20);
    const three = await indicate(asset, 200, 21);
    const low = await indicate(asset, 500, 19.99);
    const { status, event } = await list(asset);
    expect(status).toBe(200);
    expect(event).toMatchObject({
      assetId: asset.id,
      state: 'done',
      outcomes: {
        converted: { indications: 3, shares: 900 },
        not_allotted: { indications: 1, shares: 0 },
        failed: { indications: 0 },
        pending: { indications: 0 },
      },
      sharesUnallocated: 0,
    });
    // 900 of 1,800 wanted: each gets half.
    expect(await orderOf(one.client, one.orderId)).toMatchObject({
      orderId: one.orderId,
      status: 'EXECUTED',
      indication: 'CONVERTED',
      isPreIPO: true,
      quantity: 500,
      filledQuantity: 500,
      limitPrice: 20,
      averagePrice: 20,
    });
    expect([await stateOf(two), await stateOf(three), await stateOf(low)]).toEqual([
      'CONVERTED',
      'CONVERTED',
      'LAPSED',
    ]);
    expect(await balanceOf(one.client.accountId, 'usd')).toEqual({ available: CASH - 10_000_00 - 10_00, held: 0 });
    expect(await balanceOf(one.client.accountId, asset.id)).toEqual({ available: 500, held: 0 });
    expect(await balanceOf(low.client.accountId, 'usd')).toEqual({ available: CASH, held: 0 });
    expect(await balanceOf(asset.issuer.accountId, asset.id)).toEqual({ available: 100, held: 0 });
    expect(await balanceOf(asset.issuer.accountId, 'usd')).toEqual({ available: 18_000_00 - 18_00, held: 0 });
    expect((await one.client.get('/v1/core-transactions?type=trade')).body).toMatchObject({
      data: [{ type: 'trade', assetId: asset.id, side: 'BUY', quantity: 500, price: 20, fee: 10 }],
    });
    expect(await reportOf(asset, event)).toMatchObject([
      { orderId: one.orderId, indicatedShares: 1_000, limitPrice: 25, allottedShares: 500, outcome: 'converted' },
      { orderId: two.orderId, allottedShares: 300, outcome: 'converted' },
      { orderId: three.orderId, allottedShares: 100, outcome: 'converted' },
      { orderId: low.orderId, allottedShares: 0, outcome: 'not_allotted', rule: 'limit_below_price' },
    ]);
  });

  test('leaves lots under lockup, whose sale is RESALE_RESTRICTED, and the asset with a pair', async () => {
    const asset = await startup();
    const { client } = await indicate(asset, 100, 20);
    const begun = Date.now();
    await list(asset);
    const portfolio = await client.get<{ data: { lots: { restrictionEndDate: string }[] }[] }>(
      '/v1/exchange-portfolio',
    );
    expect(portfolio.body).toMatchObject({
      data: [
        { assetId: asset.id, quantity: 100, lots: [{ quantity: 100, isRestricted: true, offeringType: 'lockup' }] },
      ],
    });
    const ends = Date.parse(portfolio.body.data[0]?.lots[0]?.restrictionEndDate ?? '');
    expect(ends).toBeGreaterThanOrEqual(addMonths(begun, 12));
    // An isolate goes by what it has read of an asset for so long.
    skipTime(10 * SECOND_MS);
    // The twelve months of Regulation D would let verified investors buy; the six of the lockup let nobody.
    const sale = await client.post<ErrorBody>('/v1/orders', limitOrder(asset.id, 'SELL', 10, 20));
    expect(sale).toMatchObject({ status: 400, body: { error: { code: 'RESALE_RESTRICTED' } } });
    const free = Date.parse(sale.body.error.details.restrictionEndDate as string);
    expect(free).toBeGreaterThanOrEqual(addMonths(begun, 6));
    expect(free).toBeLessThan(addMonths(begun, 7));
    const buyer = await tradingClient(db, { cash: CASH, ...VERIFIED });
    await placed(buyer, limitOrder(asset.id, 'BUY', 10, 20));
    const firm = { ...limitOrder(asset.id, 'BUY', 10, 20), isPreIPO: true };
    expect(await buyer.post('/v1/orders', firm)).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ORDER_TYPE' } },
    });
    expect((await buyer.get(`/v1/assets/${asset.id}/quote`)).body).toMatchObject({ last: 20 });
  });

  test('by time serves the earliest first, in whole lots', async () => {
    const asset = await startup();
    const wanted = [300, 450, 400];
    const all: Indicated[] = [];
    for (const quantity of wanted) all.push(await indicate(asset, quantity, 20));
    const { event } = await list(asset, { allocation: 'time_priority', lotSize: 100, sharesOffered: 800 });
    expect((await reportOf(asset, event)).map(({ allottedShares }) => allottedShares)).toEqual([300, 400, 100]);
    expect(await Promise.all(all.map(stateOf))).toEqual(['CONVERTED', 'CONVERTED', 'CONVERTED']);
  });

  test('checks each as a firm order, reports those that fail one by one, and states what nobody has bought', async () => {
    const asset = await startup();
    const fine = await indicate(asset, 300, 20);
    const poor = await indicate(asset, 300, 20, { cash: 20_01 });
    const lost = await indicate(asset, 200, 20);
    const frozen = await indicate(asset, 100, 20);
    await setFacts(lost.client.accountId, { accreditationStatus: 'expired' });
    await setFacts(frozen.client.accountId, { kycStatus: 'pending' });
    const { event } = await list(asset);
    expect(event).toMatchObject({
      state: 'done',
      outcomes: { converted: { indications: 1, shares: 300 }, failed: { indications: 3, shares: 0 } },
      sharesUnallocated: 600,
    });
    expect(await reportOf(asset, event)).toMatchObject([
      { orderId: fine.orderId, outcome: 'converted', rule: null },
      { orderId: poor.orderId, outcome: 'failed', rule: 'insufficient_balance', code: 'INSUFFICIENT_BALANCE' },
      { orderId: lost.orderId, outcome: 'failed', rule: 'accreditation_required', code: 'ACCREDITATION_REQUIRED' },
      { orderId: frozen.orderId, outcome: 'failed', rule: 'kyc_incomplete', code: 'FORBIDDEN' },
    ]);
    expect(await stateOf(poor)).toBe('LAPSED');
    expect(await balanceOf(poor.client.accountId, 'usd')).toEqual({ available: 20_01, held: 0 });
    expect(await balanceOf(asset.issuer.accountId, asset.id)).toEqual({ available: 700, held: 0 });
  });

  test.each(['pro_rata', 'time_priority'])(
    'T-06: %s, indications of accounts without the money take nothing from those with it, however early and many',
    async (allocation) => {
      const asset = await startup();
      const broke: Indicated[] = [];
      for (let count = 0; count < 3; count++) broke.push(await indicate(asset, 10_000, 100, { cash: 0 }));
      const half = await indicate(asset, 10_000, 100, { cash: 2_002_00 });
      const funded = [await indicate(asset, 500, 20), await indicate(asset, 300, 20)];
      const { event } = await list(asset, { allocation });
      expect(event).toMatchObject({ state: 'done', sharesUnallocated: 0 });
      const shares = (await reportOf(asset, event)).map(({ allottedShares }) => allottedShares);
      expect(shares).toEqual([0, 0, 0, 100, 500, 300]);
      expect(await Promise.all([half, ...funded].map(stateOf))).toEqual(['CONVERTED', 'CONVERTED', 'CONVERTED']);
      for (const one of broke) expect(await stateOf(one)).toBe('LAPSED');
    },
  );

  const lost: readonly (readonly [string, string, (indicated: Indicated) => Promise<unknown>])[] = [
    ['is frozen', 'account_frozen', ({ client }) => setFacts(client.accountId, { frozen: true })],
    ['is verified no more', 'kyc_incomplete', ({ client }) => setFacts(client.accountId, { kycStatus: 'pending' })],
    [
      'is accredited no more',
      'accreditation_required',
      ({ client }) => setFacts(client.accountId, { accreditationStatus: 'expired' }),
    ],
    [
      'has spent its cash',
      'insufficient_balance',
      ({ client }) => placed(client, limitOrder('elsewhere', 'BUY', 10_000, 100)),
    ],
    ['wants less', 'indication_changed', ({ client, orderId }) => client.put(`/v1/orders/${orderId}`, { quantity: 1 })],
    ['has withdrawn', 'indication_ended', ({ client, orderId }) => client.delete(`/v1/orders/${orderId}`)],
  ];

  test.each(lost)(
    'T-06: what an account was allotted that %s meanwhile goes to who wanted more',
    async (_, rule, lose) => {
      const asset = await startup();
      const first = await indicate(asset, 900, 20);
      const second = await indicate(asset, 900, 20);
      const { event } = await withFirstStepsAlone(asset);
      await offerShares(env, event);
      await allotShares(env, { ...event, state: 'offered' });
      await lose(first);
      const row = await findListing(db, asset.id, event.id);
      expect(await carryOnListing(env, row ?? event)).toMatchObject({ state: 'done' });
      expect(await reportOf(asset, { eventId: event.id })).toMatchObject([
        { outcome: 'failed', rule },
        { outcome: 'converted', allottedShares: 900 },
      ]);
      expect(await balanceOf(second.client.accountId, asset.id)).toEqual({ available: 900, held: 0 });
      expect(await balanceOf(asset.issuer.accountId, asset.id)).toEqual({ available: 100, held: 0 });
    },
  );

  test('takes place once: the same request is the same event, another one is refused', async () => {
    const asset = await startup();
    const { client } = await indicate(asset, 100, 20);
    const key = { 'Idempotency-Key': `list-${asset.id}` };
    const { event } = await list(asset, {}, key);
    expect(event).toMatchObject({ state: 'done' });
    expect(await list(asset, {}, key)).toMatchObject({ status: 200, event: { eventId: event.eventId } });
    expect(await list(asset)).toMatchObject({ status: 409, error: { details: { reason: 'not_indicated' } } });
    await settle(asset.book);
    expect(await balanceOf(client.accountId, asset.id)).toEqual({ available: 100, held: 0 });
  });

  test('comes to nothing where the issuer lacks the shares: indications stand', async () => {
    const asset = await startup(899);
    const indicated = await indicate(asset, 100, 20);
    expect((await list(asset)).event).toMatchObject({ state: 'refused', code: 'INSUFFICIENT_BALANCE' });
    expect(await stateOf(indicated)).toBe('INDICATED');
    expect((await list(asset, { sharesOffered: 800 })).event).toMatchObject({ state: 'done' });
    expect(await stateOf(indicated)).toBe('CONVERTED');
  });

  test('of an offering under Regulation Crowdfunding goes to the accredited, whom no limit binds', async () => {
    const terms = { regulation: 'reg_cf', offeringType: 'reg_cf', accreditationType: '506b' } as const;
    const asset = await startup(1_000, terms);
    const self = await indicate(asset, 500, 20, { accreditationType: '506b' });
    expect((await list(asset)).event).toMatchObject({ state: 'done', outcomes: { converted: { shares: 500 } } });
    expect(await stateOf(self)).toBe('CONVERTED');
  });

  test('without a market afterwards what is left lapses, and interest is taken anew', async () => {
    const asset = await startup();
    const [first, left] = [await indicate(asset, 100, 20), await indicate(asset, 100, 10)];
    expect((await list(asset, { opensMarket: false, sharesOffered: 100 })).event).toMatchObject({ state: 'done' });
    expect([await stateOf(first), await stateOf(left)]).toEqual(['CONVERTED', 'LAPSED']);
    const again = await indicate(asset, 50, 30);
    expect((await list(asset, { sharesOffered: 50, price: 30 })).event).toMatchObject({ state: 'done' });
    expect(await stateOf(again)).toBe('CONVERTED');
  });

  test.each([
    [{ price: 20.001 }, 400],
    [{ sharesOffered: 0.5 }, 400],
    [{ sharesOffered: 950, lotSize: 100 }, 400],
    [{ lockupMonths: 61 }, 400],
    [{ allocation: 'lottery' }, 400],
  ])('refuses terms that its market does not know: %j', async (terms, status) => {
    expect((await list(await startup(), terms)).status).toBe(status);
  });
});

describe('an event that an operator stops', () => {
  const stop = async ({ id }: Started, { id: event }: { readonly id: string }, headers?: Record<string, string>) => {
    const path = `/v1/operator/assets/${id}/listing-events/${event}/stop`;
    const reason = { reason: 'the issuer has withdrawn' };
    const { status, body } = await operator.post<{ data: Event } & ErrorBody>(path, reason, headers);
    return { status, event: body.data, error: body.error };
  };
  const sharesOf = async ({ issuer, id, book }: Started) => {
    await settle(book);
    return balanceOf(issuer.accountId, id);
  };

  test('before its offer: no share is held, and nobody places the offer later', async () => {
    const asset = await startup();
    const indicated = await indicate(asset, 500, 20);
    const { event } = await withFirstStepsAlone(asset);
    expect(await stop(asset, event)).toMatchObject({ status: 200, event: { state: 'stopped' } });
    expect(await sharesOf(asset)).toEqual({ available: 1_000, held: 0 });
    // A run that had read the event before it was stopped.
    await offerShares(env, event);
    await allotShares(env, { ...event, state: 'offered' });
    await carryOnListings(env, Date.now() + 10 * MINUTE_MS);
    expect(await sharesOf(asset)).toEqual({ available: 1_000, held: 0 });
    expect(await findListing(db, asset.id, event.id)).toMatchObject({ state: 'refused', code: null });
    expect(await stateOf(indicated)).toBe('INDICATED');
  });

  test('with its offer standing: the offer holds its shares until then, and interest stands for another event', async () => {
    const asset = await startup();
    const indicated = await indicate(asset, 500, 20);
    const { event } = await withFirstStepsAlone(asset);
    await offerShares(env, event);
    expect(await sharesOf(asset)).toEqual({ available: 100, held: 900 });
    await allotShares(env, { ...event, state: 'offered' });
    const key = { 'idempotency-key': crypto.randomUUID() };
    for (let sent = 0; sent < 2; sent++)
      expect(await stop(asset, event, key)).toMatchObject({ status: 200, event: { state: 'stopped' } });
    expect(await sharesOf(asset)).toEqual({ available: 1_000, held: 0 });
    expect(await stateOf(indicated)).toBe('INDICATED');
    expect(await reportOf(asset, { eventId: event.id })).toMatchObject([{ outcome: 'failed', rule: 'offer_ended' }]);
    expect(await stop(asset, event)).toMatchObject({ status: 409, error: { details: { state: 'stopped' } } });
    const trail = await operator.get(`/v1/operator/audit-trail?subject=${asset.id}&limit=1`);
    expect(trail.body).toMatchObject({
      data: [
        {
          type: 'operator.listing_stopped',
          details: { event: event.id, reason: 'the issuer has withdrawn' },
          before: { state: 'allotted' },
        },
      ],
    });
    expect((await list(asset, { sharesOffered: 500 })).event).toMatchObject({ state: 'done' });
    expect(await stateOf(indicated)).toBe('CONVERTED');
  });

  test('what has turned firm stands, though a crash lost the word of it; the rest of the offer goes back', async () => {
    const asset = await startup();
    const [first, second] = [await indicate(asset, 400, 20), await indicate(asset, 300, 20)];
    const { event } = await withFirstStepsAlone(asset);
    await offerShares(env, event);
    await allotShares(env, { ...event, state: 'offered' });
    const [{ account, factsVersion }] = (
      await env.DB.prepare('SELECT id AS account, facts_version AS factsVersion FROM accounts WHERE id = ?1')
        .bind(first.client.accountId)
        .all<{ account: string; factsVersion: number }>()
    ).results as [{ account: string; factsVersion: number }];
    const market = await findMarket(db, asset.book);
    const conversion = {
      type: 'convert',
      conversionId: uuidv7(),
      orderId: first.orderId,
      offerId: event.offerId,
      account,
      quantity: 400,
      price: event.price,
      lot: { restrictionEndsAt: event.restrictionEndsAt, offeringType: event.offeringType },
      factsVersion,
      rulesVersion: market?.rulesVersion ?? 0,
    } as const;
    expect(await submitToBook(env, asset.book, [conversion])).toMatchObject([{ type: 'done' }]);
    expect(await stop(asset, event)).toMatchObject({
      status: 200,
      event: { state: 'stopped', outcomes: { converted: { shares: 400 }, failed: { indications: 1 } } },
    });
    expect([await stateOf(first), await stateOf(second)]).toEqual(['CONVERTED', 'INDICATED']);
    expect(await sharesOf(asset)).toEqual({ available: 600, held: 0 });
    expect(await balanceOf(first.client.accountId, asset.id)).toEqual({ available: 400, held: 0 });
    expect(await balanceOf(second.client.accountId, 'usd')).toEqual({ available: CASH, held: 0 });
  });

  test('whose request is killed goes on by itself; a halted market is waited for', async () => {
    const asset = await startup();
    await indicate(asset, 500, 20);
    const { event } = await withFirstStepsAlone(asset);
    await setRules(asset.book, { status: 'halted' });
    expect(await stop(asset, event)).toMatchObject({ status: 200, event: { state: 'withdrawing' } });
    expect((await list(asset)).status).toBe(409);
    await setRules(asset.book, { status: 'open' });
    await carryOnListings(env, Date.now() + 10 * MINUTE_MS);
    expect(await findListing(db, asset.id, event.id)).toMatchObject({ state: 'refused', code: null });
    expect(await sharesOf(asset)).toEqual({ available: 1_000, held: 0 });
  });

  test('that is over is not stopped, nor is one of another asset or that nobody announced', async () => {
    const asset = await startup();
    await indicate(asset, 500, 20);
    const { event } = await list(asset);
    expect(await stop(asset, { id: event.eventId })).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect((await stop(asset, { id: crypto.randomUUID() })).status).toBe(404);
    expect((await stop(await startup(), { id: event.eventId })).status).toBe(404);
  });
});

describe('an event that is killed in the middle', () => {
  const carriedOn = async (asset: Started, eventId: string) => {
    for (let run = 1; run <= 8; run++) {
      await carryOnListings(env, Date.now() + run * 10 * MINUTE_MS);
      const event = await findListing(db, asset.id, eventId);
      if (event?.state === 'done') return event;
    }
    return findListing(db, asset.id, eventId);
  };

  test.each(['before_commit', 'after_commit', 'after_journal', 'before_answer'])(
    'with its book %s of each cycle goes on by itself to the same end',
    async (point) => {
      const asset = await startup();
      const all: Indicated[] = [];
      for (const quantity of [700, 500, 300]) all.push(await indicate(asset, quantity, 20));
      let cycles = 0;
      faults.plan = { kills: (at) => at === point && cycles++ % 2 === 0 && cycles < 12, ledger: () => 'through' };
      const { event } = await list(asset);
      const done = await carriedOn(asset, event.eventId);
      clearFaults();
      expect(done).toMatchObject({ state: 'done' });
      expect(await Promise.all(all.map(stateOf))).toEqual(['CONVERTED', 'CONVERTED', 'CONVERTED']);
      const shares = await Promise.all(all.map(({ client }) => balanceOf(client.accountId, asset.id)));
      expect(shares.map(({ available }) => available)).toEqual([420, 300, 180]);
      expect(await balanceOf(asset.issuer.accountId, asset.id)).toEqual({ available: 100, held: 0 });
    },
  );

  test('after what turned firm and before that was written down, converts nobody twice', async () => {
    const asset = await startup();
    const all = [await indicate(asset, 600, 20), await indicate(asset, 300, 20)];
    const deaf = new Proxy(env.DB, {
      get(target, name) {
        if (name === 'batch')
          return (statements: unknown[]) => {
            if (JSON.stringify(statements).includes('UPDATE listing_allotments')) throw new Error('D1 is away');
            return target.batch(statements as D1PreparedStatement[]);
          };
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const { event } = await withFirstStepsAlone(asset);
    await expect(async () => carryOnListing({ ...env, DB: deaf }, event)).rejects.toThrow('D1 is away');
    expect(await Promise.all(all.map(stateOf))).toEqual(['CONVERTED', 'CONVERTED']);
    expect(await carriedOn(asset, event.id)).toMatchObject({ state: 'done' });
    const shares = await Promise.all(all.map(({ client }) => balanceOf(client.accountId, asset.id)));
    expect(shares.map(({ available }) => available)).toEqual([600, 300]);
    expect(await balanceOf(asset.issuer.accountId, 'usd')).toEqual({ available: 18_000_00 - 18_00, held: 0 });
  });

  test('by the end of its market of indications, converts nobody and comes to its end', async () => {
    const asset = await startup();
    const indicated = await indicate(asset, 100, 20);
    const { event } = await withFirstStepsAlone(asset);
    await offerShares(env, event);
    await allotShares(env, { ...event, state: 'offered' });
    await setRules(asset.book, { status: 'closed' });
    expect(await carriedOn(asset, event.id)).toMatchObject({ state: 'done' });
    expect(await stateOf(indicated)).toBe('LAPSED');
    const [row] = await reportOf(asset, { eventId: event.id });
    expect(row).toMatchObject({ outcome: 'failed', allottedShares: 100 });
    expect(await balanceOf(asset.issuer.accountId, asset.id)).toEqual({ available: 1_000, held: 0 });
  });

  test('by a run that finds refused what another one has turned firm, says that it turned firm', async () => {
    const asset = await startup();
    await indicate(asset, 100, 20);
    const { event } = await withFirstStepsAlone(asset);
    await offerShares(env, event);
    await allotShares(env, { ...event, state: 'offered' });
    const converted = { position: 0, outcome: 'converted', rule: null, code: null } as const;
    const refused = {
      position: 0,
      outcome: 'failed',
      rule: 'insufficient_balance',
      code: 'INSUFFICIENT_BALANCE',
    } as const;
    for (const result of [refused, converted, refused]) await recordResults(db, event.id, [result]);
    expect(await reportOf(asset, { eventId: event.id })).toMatchObject([{ outcome: 'converted', rule: null }]);
  });
});

describe('interest in an asset', () => {
  test('is shown to the venue and the organization of the issuer, by class and price and as far as it could be paid, without who it is of', async () => {
    const asset = await startup();
    for (const [quantity, price] of [
      [100, 20],
      [50, 20],
      [10, 30],
    ] as const)
      await indicate(asset, quantity, price, { cash: price === 30 ? 150_15 : CASH });
    const path = `/v1/operator/assets/${asset.id}/interest`;
    const issuer = await signedIn(await createTrader(db, { owner: 'issuer-org', roles: ['operator'] }));
    const interest = {
      assetId: asset.id,
      indications: 3,
      investors: 3,
      shares: 160,
      payableShares: 155,
      byInvestorClass: [
        { investorClass: 'verified', indications: 3, shares: 160, payableShares: 155 },
        { investorClass: 'self_certified', indications: 0, shares: 0, payableShares: 0 },
        { investorClass: 'not_accredited', indications: 0, shares: 0, payableShares: 0 },
      ],
      levels: [
        { limitPrice: 30, indications: 1, shares: 10, payableShares: 5 },
        { limitPrice: 20, indications: 2, shares: 150, payableShares: 150 },
      ],
    };
    for (const client of [operator, issuer]) expect((await client.get(path)).body).toMatchObject({ data: interest });
    const page = await operator.get<{ data: { levels: unknown[] } }>(`${path}?limit=1`);
    expect(page.body.data.levels).toHaveLength(1);
    expect(page.headers.get('link')).toContain('cursor=30');
    expect((await operator.get(`${path}?limit=1&cursor=30`)).body).toMatchObject({
      data: { levels: [{ limitPrice: 20 }] },
    });
    const stranger = await signedIn(await createTrader(db, { owner: 'other-org', roles: ['operator'] }));
    expect((await stranger.get(path)).status).toBe(404);
    expect((await asset.issuer.get(path)).status).toBe(403);
  });
});
