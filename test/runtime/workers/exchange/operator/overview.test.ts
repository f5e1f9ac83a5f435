import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { noteJobRun } from '../../../../../data/jobs/job-runs.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { untilProjected } from '../../../fixtures/book-commands.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { passTimeAt } from '../../../fixtures/pass-time.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { tradingClient } from '../../../fixtures/trading-client.ts';

const OVERVIEW = '/v1/operator/overview';
const FAILED_AT = 1_700_000_000_000;

/** The base asset of RUNS-USD as a security whose split the ledger is asked for. */
const SPLITTING = [
  `INSERT INTO organizations (id, name, created_at) VALUES ('p', 'p', 1)`,
  `INSERT INTO partner_organizations (organization, role, firm_name, contact_email, state, created_at, updated_at)
   VALUES ('p', 'cross_lister', 'P', 'p@p.example', 'active', 1, 1)`,
  `INSERT INTO securities (id, organization, state, asset_name, asset_type, security_class, share_class, issuer_id, issuer_name,
     issuer_type, currency, last_valuation_price, last_valuation_date, restrictions, created_at, updated_at)
   SELECT base_asset, 'p', 'listed', 'Runs', 'private_security', 'common_stock', 'A', 'runs', 'Runs', 'trust', 'USD', 1, '2026-01-01', '{}', 1, 1
   FROM markets WHERE symbol = 'RUNS-USD'`,
  `INSERT INTO register_events (id, security, type, state, hash, actor, created_at)
   SELECT 'e1', base_asset, 'split', 'announced', 'h', 'u', 1 FROM markets WHERE symbol = 'RUNS-USD'`,
];

let db: Database;
let operator: Client;
let operatorId: string;

interface Standing {
  readonly symbol: string;
  readonly causes: readonly string[];
  readonly halt: { readonly actor: string; readonly reason: string | null } | null;
  readonly bookHalted: string | null;
}

interface Overview {
  readonly data: {
    readonly unanswered: readonly string[];
    readonly trading: {
      readonly venueHalted: boolean;
      readonly markets: Readonly<Record<string, number>>;
      readonly standing: readonly Standing[];
      readonly standingCount: number;
      readonly books: { readonly liveOrders: number };
    } | null;
    readonly ledger: { readonly halted: string | null } | null;
    readonly deliveries: { readonly disabledEndpoints: { readonly count: number } } | null;
    readonly waiting: Readonly<Record<string, { readonly count: number; readonly oldestAt: string | null }>> | null;
    readonly jobs: readonly { readonly job: string; readonly outcome: string | null }[] | null;
  };
}

beforeAll(async () => {
  db = await migrate();
  const venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operatorId = venueOperator.userId;
  operator = await signedIn(venueOperator);
  for (const name of ['RUNS', 'STOPS', 'BROKEN']) await createPair(db, name);
});

const overview = async () => (await operator.get<Overview>(OVERVIEW)).body.data;
const standing = async (symbol: string) =>
  (await overview()).trading?.standing.find((market) => market.symbol === symbol) ?? null;

describe('GET /v1/operator/overview', () => {
  test('is for those who run or audit the venue alone', async () => {
    const auditor = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] }));
    expect((await auditor.get(OVERVIEW)).status).toBe(200);
    for (const path of [OVERVIEW, '/v1/operator/markets', '/v1/operator/markets/RUNS-USD']) {
      for (const roles of [['operator'], ['trader']] as const) {
        const elsewhere = await signedIn(await createTrader(db, { roles: [...roles] }));
        expect((await elsewhere.get(path)).status).toBe(403);
      }
    }
  });

  test('says of a market that an operator halts that it stands still, who did it and why, until it is resumed', async () => {
    const reason = 'a trade at a wrong price';
    expect(await standing('STOPS-USD')).toBeNull();
    expect((await operator.post('/v1/operator/markets/STOPS-USD/halt', { reason })).status).toBe(200);
    expect(await standing('STOPS-USD')).toMatchObject({
      causes: ['market_halted'],
      halt: { halted: true, actor: operatorId, reason },
    });
    // A change of another rule is no halt of its own, so the reason stays.
    expect((await operator.patch('/v1/operator/markets/STOPS-USD', { takerFeeBps: 3 })).status).toBe(200);
    expect(await standing('STOPS-USD')).toMatchObject({ halt: { reason } });
    expect((await operator.post('/v1/operator/markets/STOPS-USD/resume', { reason: 'looked at' })).status).toBe(200);
    expect(await standing('STOPS-USD')).toBeNull();
    const { body } = await operator.get<{ data: { halts: unknown[] } }>('/v1/operator/markets/STOPS-USD');
    expect(body.data.halts).toMatchObject([
      { halted: false, reason: 'looked at' },
      { halted: true, reason, actor: operatorId },
    ]);
  });

  test('says that the whole venue is halted, in every market, and who did it', async () => {
    expect((await operator.post('/v1/operator/venue/halt', { reason: 'a fire' })).status).toBe(200);
    const { trading } = await overview();
    expect(trading).toMatchObject({ venueHalted: true, venueHalt: { actor: operatorId, reason: 'a fire' } });
    expect(trading?.standing.map(({ symbol }) => symbol)).toContain('RUNS-USD');
    expect((await operator.post('/v1/operator/venue/resume', { reason: 'it is out' })).status).toBe(200);
    expect(await standing('RUNS-USD')).toBeNull();
  });

  test('says why a book stands still whose journal is not what was written, and that its market is open', async () => {
    const trader = await tradingClient(db, { cash: 1_000_00 });
    await placed(trader, limitOrder('broken', 'BUY', 2, 9));
    await untilProjected();
    // In which nothing was open, the book is asked again after a minute alone.
    expect((await overview()).trading?.books.liveOrders).toBe(0);
    await passTimeAt('RUNS-USD', 60_000);
    expect((await overview()).trading?.books.liveOrders).toBe(1);
    const stub = env.ORDER_BOOK.getByName('BROKEN-USD');
    const statement = `UPDATE journal SET entry = replace(entry, '"GTC",2,', '"GTC",3,')`;
    await runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(statement));
    await evictDurableObject(stub);
    // What the book has said lately serves everybody who looks, for some seconds.
    expect(await standing('BROKEN-USD')).toBeNull();
    await passTimeAt('RUNS-USD', 5_000);
    expect(await standing('BROKEN-USD')).toMatchObject({
      causes: ['book_halted'],
      bookHalted: expect.stringMatching(/^row \d+ of the journal is not what was journaled$/),
      halt: null,
    });
    const { body } = await operator.get('/v1/operator/markets/BROKEN-USD');
    expect(body).toMatchObject({ data: { isCurrent: true, rules: { status: 'open' }, causes: ['book_halted'] } });
  });

  test('says of a market whose shares are being split that it takes no orders', async () => {
    for (const statement of SPLITTING) await db.$client.prepare(statement).run();
    expect(await standing('RUNS-USD')).toMatchObject({ causes: ['shares_split'] });
    const { trading } = await overview();
    expect(trading?.standingCount).toBe(trading?.standing.length);
    await db.$client.prepare(`DELETE FROM register_events WHERE id = 'e1'`).run();
    expect(await standing('RUNS-USD')).toBeNull();
  });

  test('leaves out a market that is closed for good, which is no end of a halt', async () => {
    const pair = 'GONE-USD';
    await createPair(db, 'GONE');
    expect((await operator.post(`/v1/operator/markets/${pair}/halt`, { reason: 'bad news' })).status).toBe(200);
    const { base_asset: asset } = (await db.$client
      .prepare(`SELECT base_asset FROM markets WHERE symbol = ?1`)
      .bind(pair)
      .first<{ base_asset: string }>()) ?? { base_asset: '' };
    const delisted = await operator.post(`/v1/operator/assets/${asset}/status`, { status: 'DELISTED', reason: 'gone' });
    expect(delisted.status).toBe(200);
    expect(await standing(pair)).toBeNull();
    const { body } = await operator.get<{ data: { halts: unknown[] } }>(`/v1/operator/markets/${pair}`);
    expect(body.data.halts).toMatchObject([{ halted: true, reason: 'bad news' }]);
  });

  test('counts an endpoint that failed, not one that its owner has switched off', async () => {
    const insert = db.$client.prepare(
      `INSERT INTO webhook_endpoints (id, organization, url, events, disabled_reason, disabled_at, secret, created_at)
       VALUES (?1, 'p', 'https://p.example', '[]', ?1, 1, 's', 1)`,
    );
    for (const reason of ['owner', 'failing']) await insert.bind(reason).run();
    expect((await overview()).deliveries?.disabledEndpoints).toMatchObject({ count: 1 });
  });

  test('counts what waits for an operator, the oldest of it with its time', async () => {
    await db.$client
      .prepare(
        `INSERT INTO broker_breaks (book, id, kind, order_id, detail, at) VALUES ('RUNS-USD', 'b1', 'unknown_execution', 'o1', 'x', ?1), ('RUNS-USD', 'b2', 'unknown_execution', 'o1', 'x', ?2)`,
      )
      .bind(FAILED_AT + 1, FAILED_AT)
      .run();
    const { waiting } = await overview();
    expect(waiting?.broker_breaks).toEqual({ count: 2, isMore: false, oldestAt: new Date(FAILED_AT).toISOString() });
    expect(waiting?.identities).toEqual({ count: 0, isMore: false, oldestAt: null });
  });

  test('says how the last run of a job ended, and keeps its last failure when it does again', async () => {
    const run = { job: 'settle_due', beganAt: FAILED_AT, endedAt: FAILED_AT };
    await noteJobRun(db, { ...run, outcome: 'failed', failure: 'x'.repeat(600) });
    await noteJobRun(db, { ...run, outcome: 'failed', failure: 'the broker is away' });
    const ofJob = async () => (await overview()).jobs?.find(({ job }) => job === 'settle_due');
    expect(await ofJob()).toMatchObject({ outcome: 'failed', failuresInRow: 2, isOverdue: true });
    const now = Date.now();
    await noteJobRun(db, { job: 'settle_due', beganAt: now, endedAt: now, outcome: 'done', failure: null });
    expect(await ofJob()).toMatchObject({
      outcome: 'done',
      failuresInRow: 0,
      isOverdue: false,
      lastFailure: 'the broker is away',
      lastFailedAt: new Date(FAILED_AT).toISOString(),
    });
  });

  test('names a part that cannot be read, and answers the others', async () => {
    await db.$client.prepare('ALTER TABLE job_runs RENAME TO job_runs_away').run();
    const { unanswered, jobs, trading, ledger } = await overview();
    await db.$client.prepare('ALTER TABLE job_runs_away RENAME TO job_runs').run();
    expect({ unanswered, jobs }).toEqual({ unanswered: ['jobs'], jobs: null });
    expect(trading?.markets.open).toBeGreaterThan(0);
    expect(ledger?.halted).toBeNull();
  });
});

describe('GET /v1/operator/markets', () => {
  const symbols = async (query: string) =>
    (await operator.get<{ data: { symbol: string }[] }>(`/v1/operator/markets${query}`)).body.data.map(
      ({ symbol }) => symbol,
    );

  test('lists markets by symbol, in pages, by state and by how they begin', async () => {
    expect(await symbols('?limit=2')).toEqual(['BROKEN-USD', 'GONE-USD']);
    expect(await symbols('?limit=2&cursor=GONE-USD')).toEqual(['RUNS-USD', 'STOPS-USD']);
    expect(await symbols('?search=st')).toEqual(['STOPS-USD']);
    expect(await symbols('?search=%25')).toEqual([]);
    expect(await symbols('?status=halted')).toEqual([]);
    expect(await symbols('?route=broker')).toEqual([]);
    expect((await operator.get('/v1/operator/markets/NONE-USD')).status).toBe(404);
  });

  test('says sizes, fees, band and hours in numbers of the market', async () => {
    const { body } = await operator.get('/v1/operator/markets/RUNS-USD');
    expect(body).toMatchObject({
      data: {
        rules: { status: 'open', minSize: 1, takerFeeBps: 0, tradingHours: 'always' },
        tickSize: 0.01,
        lotSize: 1,
        causes: [],
      },
    });
  });
});
