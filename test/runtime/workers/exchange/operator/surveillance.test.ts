import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { archiveOrders } from '../../../../../application/orders/archive-orders.ts';
import { judgeMarket } from '../../../../../application/surveillance/judge-market.ts';
import { watchTrading } from '../../../../../application/surveillance/watch-trading.ts';
import type { Database } from '../../../../../data/database.ts';
import { idAt } from '../../../../../data/orders/id-at.ts';
import { accounts } from '../../../../../data/schema/accounts.ts';
import { firstSequenceAt } from '../../../../../data/surveillance/day-trades.ts';
import {
  beginMarket,
  endDay,
  findLastDay,
  listTradedMarkets,
  noteMarketJudged,
  readModelGeneration,
} from '../../../../../data/surveillance/surveillance-days.ts';
import { dateText } from '../../../../../domain/calendar/date-text.ts';
import { DAY_MS, HOUR_MS } from '../../../../../domain/calendar/durations.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createKey, createKeyHolder, type KeyHolder } from '../../../fixtures/book-client.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Client, type ErrorBody, signedIn } from '../../../fixtures/exchange-client.ts';
import { giveHolding } from '../../../fixtures/give-balance.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { settle } from '../../../fixtures/settle.ts';
import { skipTime } from '../../../fixtures/skip-time.ts';

interface CaseShown {
  readonly id: string;
  readonly rule: string;
  readonly market: string;
  readonly people: readonly { readonly userId: string; readonly name: string | null }[];
  readonly accountIds: readonly string[];
  readonly state: string;
  readonly version: number;
  readonly notes: readonly { readonly author: string; readonly text: string }[];
  readonly trades: readonly Record<string, unknown>[];
  readonly orders: readonly Record<string, unknown>[];
  readonly numbers: readonly { readonly name: string; readonly value: string }[];
}
type CaseAnswer = { readonly data: CaseShown } & ErrorBody;

const PATH = '/v1/operator/surveillance';
/** So far apart that executions are times of their own. */
const APART_MS = 15_000;
// The trading of this file is of one day.
if (DAY_MS - (Date.now() % DAY_MS) < HOUR_MS) skipTime(HOUR_MS);
const today = Date.now() - (Date.now() % DAY_MS);
/** When the trading of today is watched: an hour after the day. */
const tonight = today + DAY_MS + HOUR_MS;

let db: Database;
let ann: KeyHolder;
let annsOther: Pick<KeyHolder, 'client'>;
let bob: KeyHolder;
let boss: Trader;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'WASH');
  await createPair(db, 'LAYER');
  ann = await createKeyHolder(db, { cash: 100_000_00 });
  bob = await createKeyHolder(db, { cash: 100_000_00 });
  // Another account of the same person.
  const second = uuidv7();
  await db.insert(accounts).values({
    id: second,
    owner: ann.owner,
    userId: ann.userId,
    kycStatus: 'completed',
    createdAt: Date.now(),
  });
  annsOther = await createKey(db, { ...ann, accountId: second });
  await giveHolding({ accountId: second, asset: 'wash', lots: [{ quantity: 100 }] });
  await giveHolding({ accountId: ann.accountId, asset: 'layer', lots: [{ quantity: 100 }] });
  await giveHolding({ accountId: bob.accountId, asset: 'wash', lots: [{ quantity: 100 }] });
  boss = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(boss);
  for (let round = 0; round < 2; round++) {
    await order(ann, { symbol: 'WASH-USD', side: 'buy', size: 10, price: 5 });
    await order(annsOther, { symbol: 'WASH-USD', side: 'sell', size: 10, price: 5 });
  }
  for (let round = 0; round < 3; round++) {
    await order(bob, { symbol: 'LAYER-USD', side: 'buy', size: 1, price: 10 });
    const bid = await order(ann, { symbol: 'LAYER-USD', side: 'buy', size: 3, price: 9.9 });
    await order(ann, { symbol: 'LAYER-USD', side: 'sell', size: 1, price: 10 });
    expect((await ann.client.delete(`/v1/orders/${bid}`)).status).toBe(200);
    skipTime(APART_MS);
  }
  // Not between her own accounts.
  await order(ann, { symbol: 'WASH-USD', side: 'buy', size: 10, price: 5 });
  await order(bob, { symbol: 'WASH-USD', side: 'sell', size: 10, price: 5 });
  await settle('WASH-USD', 'LAYER-USD');
});

async function order({ client }: Pick<KeyHolder, 'client'>, terms: object): Promise<string> {
  const answer = await client.post('/v1/orders', { type: 'limit', ...terms });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return String(answer.body.order_id);
}

interface Made {
  readonly at: number;
  readonly price: number;
  readonly buyer: KeyHolder;
  readonly seller: KeyHolder;
}

/** Trades of ten of a market of long ago. */
async function traded(book: string, made: readonly Made[]): Promise<void> {
  for (const [index, { at, price, buyer, seller }] of made.entries())
    await env.DB.prepare(
      `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer, seller,
         buyer_fee, seller_fee, executed_at)
       VALUES (?1, ?2, ?3, 'old', 'usd', ?4, 10, 1, 'buy', ?1 || '-b', ?1 || '-s', ?5, ?6, 0, 0, ?7)`,
    )
      .bind(uuidv7(), book, index + 1, price, buyer.accountId, seller.accountId, at)
      .run();
}

const all = async (query = 'state=all', as = operator) =>
  (await as.get<{ data: CaseShown[] }>(`${PATH}?${query}`)).body.data;
const watchAll = async (now: number) => {
  while (await watchTrading(env, now));
};
const caseOf = async (rule: string) => {
  const [found] = await all(`state=all&rule=${rule}`);
  if (found === undefined) throw new Error(`no case of ${rule}`);
  return found.id;
};
const one = async (id: string) => (await operator.get<CaseAnswer>(`${PATH}/${id}`)).body.data;
const dayOf = async () => (await operator.get<{ data: object[] }>('/v1/operator/surveillance-days')).body.data;
const act = (id: string, verb: string, body: object, as = operator) =>
  as.post<CaseAnswer>(`${PATH}/${id}/${verb}`, body);

describe('market surveillance', () => {
  it('waits until a day has been over for an hour, and then makes a case of what it finds, once', async () => {
    expect(await watchTrading(env, tonight - 1)).toBe(false);
    expect(await dayOf()).toEqual([]);
    await watchAll(tonight);
    const [found, ...others] = (await all()).filter(({ rule }) => rule === 'wash_trade');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      rule: 'wash_trade',
      market: 'WASH-USD',
      assetId: 'wash',
      day: dateText(today),
      people: [{ userId: ann.userId, name: `Trader ${ann.userId}` }],
      accountIds: expect.arrayContaining([ann.accountId]),
      state: 'open',
      version: 1,
    });
    const nothingLeftOut = { casesLeftOut: 0, tradesLeftOut: 0, accountsLeftOut: 0 };
    expect(await dayOf()).toEqual([
      expect.objectContaining({
        day: dateText(today),
        markets: 2,
        cases: 2,
        ...nothingLeftOut,
        doneAt: expect.any(String),
      }),
    ]);
    await watchAll(tonight);
    expect([await all(), await dayOf()]).toMatchObject([{ length: 2 }, { length: 1 }]);
  });

  it('shows what has decided: numbers with the thresholds, and trades', async () => {
    const shown = await one(await caseOf('wash_trade'));
    expect(shown.numbers).toEqual(
      expect.arrayContaining([
        { name: 'trades', unit: 'count', value: '2' },
        { name: 'quantity', unit: 'quantity', value: '20' },
        { name: 'share_of_day', unit: 'bps', value: '6666' },
        { name: 'trades_threshold', unit: 'count', value: '2' },
      ]),
    );
    expect(shown.trades).toHaveLength(2);
    expect(shown.trades[0]).toMatchObject({ price: 5, quantity: 10, buyerAccountId: ann.accountId });
  });

  it('finds orders that were cancelled right after a sale on the other side', async () => {
    const shown = await one(await caseOf('layering'));
    expect(shown).toMatchObject({ people: [{ userId: ann.userId }], accountIds: [ann.accountId] });
    expect(shown.orders).toHaveLength(3);
    expect(shown.orders[0]).toMatchObject({ side: 'BUY', price: 9.9, quantity: 3, filled: 0 });
    expect(shown.numbers).toContainEqual({ name: 'times', unit: 'count', value: '3' });
  });

  it('goes on after a crash from the market at which it was, and does no market twice', async () => {
    await env.DB.prepare('DELETE FROM surveillance_cases').run();
    await env.DB.prepare('DELETE FROM surveillance_days').run();
    // One market of two, and then nothing more, as by a crash.
    expect(await watchTrading(env, tonight, 1)).toBe(true);
    expect((await all()).map(({ market }) => market)).toEqual(['LAYER-USD']);
    const stale = await findLastDay(db);
    await watchAll(tonight);
    expect((await all()).map(({ market }) => market).sort()).toEqual(['LAYER-USD', 'WASH-USD']);
    // A run that has been overtaken writes nothing: neither its cases nor where it is.
    const [market] = await listTradedMarkets(db, { midnight: today, after: '', limit: 1 });
    if (stale === null || market === undefined) throw new Error('there is no such day or market');
    const judged = { market, ...(await judgeMarket(env, market, today)), casesLeftOut: 0, now: tonight };
    const late = { ...judged, findings: judged.findings.map((finding) => ({ ...finding, id: uuidv7() })) };
    await env.DB.prepare('DELETE FROM surveillance_cases WHERE market = ?1').bind(market.symbol).run();
    const generation = await readModelGeneration(db);
    const lates = { day: stale, generation };
    await expect(noteMarketJudged(db, lates, late)).rejects.toThrow();
    expect([await beginMarket(db, lates), await endDay(db, lates, tonight)]).toEqual([false, false]);
    expect((await all()).map((found) => found.market)).toEqual(['WASH-USD']);
    await env.DB.prepare('DELETE FROM surveillance_days').run();
    await watchAll(tonight);
    expect(await all()).toHaveLength(2);
  });

  it('takes nothing for judged, and no day for done, that was read while the read model was emptied', async () => {
    await env.DB.prepare('DELETE FROM surveillance_days').run();
    expect(await watchTrading(env, tonight, 1)).toBe(true);
    const day = await findLastDay(db);
    const [market] = await listTradedMarkets(db, { midnight: today, after: day?.visited ?? '', limit: 1 });
    if (day === null || market === undefined) throw new Error('there is no such day or market');
    const before = { day, generation: (await readModelGeneration(db)) - 1 };
    const judged = { market, ...(await judgeMarket(env, market, today)), findings: [], casesLeftOut: 0, now: tonight };
    await expect(noteMarketJudged(db, before, judged)).rejects.toThrow();
    expect([await beginMarket(db, before), await endDay(db, before, tonight)]).toEqual([false, false]);
    await watchAll(tonight);
    expect(await dayOf()).toMatchObject([{ markets: 2, doneAt: expect.any(String) }]);
  });

  it('catches up on days that were missed, one after the other', async () => {
    await watchAll(tonight + 3 * DAY_MS);
    const days = [3, 2, 1, 0].map((after) => ({ day: dateText(today + after * DAY_MS), doneAt: expect.any(String) }));
    expect(await dayOf()).toMatchObject(days);
    expect(await all()).toHaveLength(2);
  });

  it('reads no more than its bounds, and says what it left out', async () => {
    const [layer, wash] = await listTradedMarkets(db, { midnight: today, after: '', limit: 2 });
    if (layer === undefined || wash === undefined) throw new Error('nothing was traded');
    const bounds = { tradesMax: 1, closeTradesMax: 1 };
    expect(await judgeMarket(env, wash, today, bounds)).toMatchObject({ tradesLeftOut: 2, accountsLeftOut: 0 });
    const noOrders = { ...bounds, tradesMax: 100, orderPagesMax: 0 };
    expect(await judgeMarket(env, layer, today, noOrders)).toMatchObject({ findings: [], accountsLeftOut: 3 });
    // Everybody's first orders before anybody's later ones: who has placed few is read to the end.
    const oneByOne = { ordersPerPage: 1, spansPerPage: 1 };
    expect(await judgeMarket(env, layer, today, { ...oneByOne, orderPagesMax: 9 })).toMatchObject({
      accountsLeftOut: 2,
    });
    expect(await judgeMarket(env, layer, today, oneByOne)).toEqual(await judgeMarket(env, layer, today));
  });

  it('reads cancelled orders that have gone to the archive', async () => {
    const [layer] = await listTradedMarkets(db, { midnight: today, after: '', limit: 1 });
    if (layer === undefined) throw new Error('nothing was traded');
    const before = await judgeMarket(env, layer, today);
    await archiveOrders(env, Date.now() + 8 * DAY_MS);
    const left = await env.DB.prepare("SELECT count(*) AS n FROM orders WHERE book = 'LAYER-USD' AND open = 0").first(
      'n',
    );
    expect([left, before.findings.length]).toEqual([0, 1]);
    expect(await judgeMarket(env, layer, today)).toEqual(before);
    const noSlices = { slicesMax: 0 };
    expect((await judgeMarket(env, layer, today, noSlices)).accountsLeftOut).toBeGreaterThan(0);
  });

  it('a market that always fails stops neither other markets nor later days: it is left out after three runs, and at once on the day after', async () => {
    const { key, books } = (await env.DB.prepare(
      "SELECT key, books FROM order_slices WHERE books LIKE '%LAYER-USD%'",
    ).first<{ key: string; books: string }>()) ?? { key: '', books: '' };
    const text = (await (await env.ORDER_ARCHIVE.get(key))?.text()) ?? '';
    const named = (as: string) =>
      env.DB.prepare('UPDATE order_slices SET books = ?1 WHERE key = ?2').bind(as, key).run();
    await named('["LAYER-USD"]');
    await env.ORDER_ARCHIVE.delete(key);
    await env.DB.prepare('DELETE FROM surveillance_days').run();
    for (let run = 0; run < 3; run++) await expect(watchTrading(env, tonight)).rejects.toThrow();
    await watchAll(tonight);
    const leftOut = { markets: 1, marketsLeftOut: ['LAYER-USD'], doneAt: expect.any(String) };
    expect(await dayOf()).toMatchObject([{ day: dateText(today), ...leftOut }]);
    const yesterday = dateText(today - DAY_MS);
    await env.DB.prepare('UPDATE surveillance_days SET day = ?1').bind(yesterday).run();
    expect(await watchTrading(env, tonight)).toBe(true);
    expect(await dayOf()).toMatchObject([{ markets: 0, marketsLeftOut: [], doneAt: null }, leftOut]);
    await watchAll(tonight);
    expect(await dayOf()).toMatchObject([{ day: dateText(today), ...leftOut }, leftOut]);

    await env.ORDER_ARCHIVE.put(key, text);
    await named(books);
    await env.DB.prepare('DELETE FROM surveillance_days').run();
    await watchAll(tonight);
    expect(await dayOf()).toMatchObject([{ markets: 2, marketsLeftOut: [] }]);
  });

  it('takes the price before a close from its session alone, and judges the close of no broker’s market', async () => {
    const midnight = today - 20 * DAY_MS;
    const market = { symbol: 'MARK-USD', asset: 'mark', tradingHours: 'always', route: 'internal' } as const;
    await traded('MARK-USD', [
      { at: midnight - HOUR_MS, price: 1_000, buyer: bob, seller: ann },
      { at: midnight + DAY_MS - 1_000, price: 1_200, buyer: ann, seller: bob },
    ]);
    const found = async (of: Parameters<typeof judgeMarket>[1]) =>
      (await judgeMarket(env, of, midnight)).findings.map(({ rule }) => rule);
    expect(await found(market)).toEqual([]);
    await env.DB.prepare("UPDATE trades SET executed_at = ?1 WHERE book = 'MARK-USD' AND sequence = 1")
      .bind(midnight + HOUR_MS)
      .run();
    expect(await found(market)).toEqual(['marking_the_close']);
    expect(await found({ ...market, route: 'broker' })).toEqual([]);
  });

  it('sees an order that its owner has taken off after midnight for an execution before it, by whichever way', async () => {
    const midnight = today - 30 * DAY_MS;
    const market = { symbol: 'NIGHT-USD', asset: 'night', tradingHours: 'always', route: 'internal' } as const;
    // Three times, the last one three seconds before the day ends.
    const times = [60_000, 30_000, 3_000].map((before) => midnight + DAY_MS - before);
    await traded(
      'NIGHT-USD',
      times.map((at) => ({ at, price: 1_000, buyer: bob, seller: ann })),
    );
    const key = await createKey(db, ann);
    // By a cancel, by the end of the key that has placed it, by meeting another order of the same person, and at its own time.
    const [cancelled, revoked] = [`'cancelled', 'user', NULL`, `'cancelled', 'revoked', '${key.keyId}'`];
    const place = async (end: string, at: number) =>
      env.DB.prepare(
        `INSERT INTO orders (id, account, owner, book, asset_id, open, side, type, time_in_force, quantity, price, reserve_asset,
           created_at, updated_at, cancelled_at, status, code, key_id)
         VALUES (?1, ?2, 'org-test', 'NIGHT-USD', 'night', 0, 'buy', 'limit', 'GTC', 30, 900, 'usd', ?3, ?4, ?4, ${end})`,
      )
        .bind(`${idAt(at - 1_000).slice(0, 14)}7000-8000-000000000000`, ann.accountId, at - 1_000, at + 5_000)
        .run();
    const judged = async () => (await judgeMarket(env, market, midnight)).findings;
    for (const end of [cancelled, revoked, `'cancelled', 'self_trade', NULL`, `'expired', 'expired', NULL`]) {
      await env.DB.prepare("DELETE FROM orders WHERE book = 'NIGHT-USD'").run();
      for (const at of times) await place(end, at);
      await env.DB.prepare('UPDATE api_keys SET revoked_at = ?1 WHERE id = ?2').bind(midnight, key.keyId).run();
      expect(await judged()).toMatchObject([
        { rule: 'layering', people: [ann.userId], numbers: { times: { value: '3' } } },
      ]);
      expect((await judgeMarket(env, market, midnight + DAY_MS)).findings).toEqual([]);
    }
    // By the venue: a halt, and the end of what was not the key.
    for (const end of [`'cancelled', 'halt', NULL`, revoked]) {
      await env.DB.prepare("DELETE FROM orders WHERE book = 'NIGHT-USD'").run();
      for (const at of times) await place(end, at);
      await env.DB.prepare('UPDATE api_keys SET revoked_at = ?1 WHERE id = ?2').bind(today, key.keyId).run();
      expect(await judged()).toEqual([]);
    }
    for (const revokedAt of [today, midnight]) {
      await env.DB.prepare('UPDATE api_keys SET revoked_at = ?1 WHERE id = ?2').bind(revokedAt, key.keyId).run();
      const before = await judged();
      await archiveOrders(env, Date.now() + 8 * DAY_MS);
      expect(await judged()).toEqual(before);
      expect(before).toHaveLength(revokedAt === midnight ? 1 : 0);
    }
  });

  it('knows where the trades of a time begin', async () => {
    const [{ first, last }] = (
      await env.DB.prepare(
        "SELECT min(executed_at) AS first, max(executed_at) AS last FROM trades WHERE book = 'WASH-USD'",
      ).all<{ first: number; last: number }>()
    ).results as [{ first: number; last: number }];
    const at = (time: number) => firstSequenceAt(db, 'WASH-USD', time);
    expect([await at(0), await at(first), await at(last + 1)]).toEqual([1, 1, 4]);
    expect(await firstSequenceAt(db, 'NONE-USD', first)).toBe(1);
  });
});

describe('what operators do with a case', () => {
  it('lists by rule, market, person and state, in pages', async () => {
    const rules = async (query: string) => (await all(query)).map(({ rule }) => rule).sort();
    expect(await rules('rule=layering')).toEqual(['layering']);
    expect(await rules('market=WASH-USD')).toEqual(['wash_trade']);
    expect(await rules(`userId=${ann.userId}`)).toEqual(['layering', 'wash_trade']);
    expect(await rules(`userId=${bob.userId}`)).toEqual([]);
    expect(await rules('state=closed')).toEqual([]);
    const first = await operator.get<{ data: CaseShown[] }>(`${PATH}?limit=1`);
    expect(first.headers.get('link')).toContain('rel="next"');
    const [{ id }] = first.body.data as [CaseShown];
    expect(await rules(`limit=1&cursor=${id}`)).toHaveLength(1);
    expect((await all(`cursor=${id}`)).map((found) => found.id)).not.toContain(id);
  });

  it('notes, gives to somebody, closes with an outcome and opens again; every act stands in the trail', async () => {
    const id = await caseOf('wash_trade');
    const waiting = async () =>
      (await operator.get<{ data: { waiting: { surveillance_cases: { count: number } } } }>('/v1/operator/overview'))
        .body.data.waiting.surveillance_cases.count;
    expect(await waiting()).toBe(2);
    const noted = await act(id, 'notes', { text: 'asked her about it' });
    expect(noted.body.data.notes).toMatchObject([{ author: boss.userId, text: 'asked her about it' }]);
    const given = await act(id, 'assign', { version: 1, assignee: boss.userId, reason: 'on duty' });
    expect(given.body.data).toMatchObject({ assignee: boss.userId, version: 2 });
    const stale = await act(id, 'close', { version: 1, outcome: 'warned', reason: 'talked' });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'CONFLICT']);
    const closed = await act(id, 'close', { version: 2, outcome: 'warned', reason: 'talked to her' });
    expect(closed.body.data).toMatchObject({
      state: 'closed',
      outcome: 'warned',
      closeReason: 'talked to her',
      version: 3,
    });
    expect(closed.body.data).toMatchObject({ closedBy: boss.userId, closedAt: expect.any(String) });
    expect(await waiting()).toBe(1);
    expect((await act(id, 'close', { version: 3, outcome: 'reported', reason: 'again' })).status).toBe(409);
    // What stands is told, and not what was read before.
    const late = await act(id, 'assign', { version: 2, assignee: null, reason: 'again' });
    expect(late).toMatchObject({ status: 409, body: { error: { details: { state: 'closed' } } } });
    expect((await act(id, 'assign', { version: 3, assignee: null, reason: 'again' })).status).toBe(409);
    const open = await act(id, 'reopen', { version: 3, reason: 'she did it again' });
    expect(open.body.data).toMatchObject({ state: 'open', outcome: null, version: 4 });
    const trail = await operator.get<{ data: { type: string; actor: string; details: object }[] }>(
      `/v1/operator/audit-trail?subject=${id}`,
    );
    expect(trail.body.data.map(({ type }) => type)).toEqual([
      'operator.surveillance_case_reopened',
      'operator.surveillance_case_closed',
      'operator.surveillance_case_assigned',
      'operator.surveillance_case_noted',
    ]);
    expect(trail.body.data[0]).toMatchObject({ actor: boss.userId, details: { reason: 'she did it again' } });
  });

  it('does an act once, however often the same request comes', async () => {
    const id = await caseOf('layering');
    const key = { 'idempotency-key': uuidv7() };
    const text = { text: 'once' };
    for (let time = 0; time < 2; time++)
      expect((await operator.post(`${PATH}/${id}/notes`, text, key)).status).toBe(200);
    expect((await one(id)).notes).toHaveLength(1);
  });

  it('takes only a person who runs the venue for who looks into it', async () => {
    const id = await caseOf('layering');
    const auditor = await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] });
    for (const assignee of [auditor.userId, bob.userId, 'nobody']) {
      const refused = await act(id, 'assign', { version: 1, assignee, reason: 'a try' });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('shows nothing to other organizations and customers, and lets an auditor read alone', async () => {
    const id = await caseOf('layering');
    const elsewhere = await signedIn(await createTrader(db, { owner: 'org-test', roles: ['operator'] }));
    const auditor = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] }));
    for (const client of [elsewhere, await signedIn(ann)])
      for (const path of [PATH, `${PATH}/${id}`, '/v1/operator/surveillance-days'])
        expect((await client.get(path)).status).toBe(403);
    expect(await all('state=all', auditor)).toHaveLength(2);
    expect((await act(id, 'notes', { text: 'a try' }, auditor)).status).toBe(403);
  });

  it('hides a case from whom it is about, though they run the venue', async () => {
    const id = await caseOf('layering');
    await env.DB.prepare('UPDATE users SET owner = ?1, roles = \'["operator"]\' WHERE id = ?2')
      .bind(VENUE_OWNER, ann.userId)
      .run();
    const herself = await signedIn({ ...ann, owner: VENUE_OWNER });
    expect(await all('state=all', herself)).toEqual([]);
    expect((await herself.get(`${PATH}/${id}`)).status).toBe(404);
    const closing = await act(id, 'close', { version: 1, outcome: 'no_action', reason: 'nothing' }, herself);
    expect(closing.status).toBe(404);
    const refused = await act(id, 'assign', { version: 1, assignee: ann.userId, reason: 'a try' });
    expect(refused.status).toBe(400);
    expect((await one(id)).state).toBe('open');
    // Nor does she learn of it by a count or by what was done with it.
    expect((await act(id, 'assign', { version: 1, assignee: boss.userId, reason: 'on duty' })).status).toBe(200);
    const told = async (client: Client) => {
      const [trail, days, overview] = await Promise.all([
        client.get<{ data: object[] }>('/v1/operator/audit-trail?type=operator.surveillance_case_assigned'),
        client.get<{ data: { day: string; cases: number }[] }>('/v1/operator/surveillance-days'),
        client.get<{ data: { waiting: { surveillance_cases: { count: number } } } }>('/v1/operator/overview'),
      ]);
      return {
        acts: trail.body.data.length > 0,
        ofTheDay: days.body.data.find(({ day }) => day === dateText(today))?.cases,
        waiting: overview.body.data.waiting.surveillance_cases.count,
      };
    };
    expect(await told(operator)).toEqual({ acts: true, ofTheDay: 2, waiting: 2 });
    expect(await told(herself)).toEqual({ acts: false, ofTheDay: 0, waiting: 0 });
  });

  it('says that there is no such case', async () => {
    const nothing = uuidv7();
    expect((await operator.get(`${PATH}/${nothing}`)).status).toBe(404);
    expect((await act(nothing, 'reopen', { version: 1, reason: 'a try' })).status).toBe(404);
    expect((await operator.get(`${PATH}/nothing`)).status).toBe(400);
  });
});
