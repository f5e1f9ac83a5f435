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
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { tradingClient } from '../../../fixtures/trading-client.ts';

const OVERVIEW = '/v1/operator/overview';
const FAILED_AT = 1_700_000_000_000;

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
      readonly books: { readonly liveOrders: number };
    } | null;
    readonly ledger: { readonly halted: string | null } | null;
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
    expect((await overview()).trading?.books.liveOrders).toBe(1);
    const stub = env.ORDER_BOOK.getByName('BROKEN-USD');
    const statement = `UPDATE journal SET entry = replace(entry, '"GTC",2,', '"GTC",3,')`;
    await runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(statement));
    await evictDurableObject(stub);
    expect(await standing('BROKEN-USD')).toMatchObject({
      causes: ['book_halted'],
      bookHalted: expect.stringMatching(/^row \d+ of the journal is not what was journaled$/),
      halt: null,
    });
    const { body } = await operator.get('/v1/operator/markets/BROKEN-USD');
    expect(body).toMatchObject({ data: { rules: { status: 'open' }, causes: ['book_halted'] } });
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
    expect(await symbols('?limit=2')).toEqual(['BROKEN-USD', 'RUNS-USD']);
    expect(await symbols('?limit=2&cursor=RUNS-USD')).toEqual(['STOPS-USD']);
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
