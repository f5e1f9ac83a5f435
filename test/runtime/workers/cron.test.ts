import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { announceListingEvent } from '../../../application/listing/announce-listing.ts';
import { setAssetStatus } from '../../../application/operator/change-asset.ts';
import { endAccreditationOf } from '../../../data/accounts/accreditation-ends.ts';
import { recordVerificationEvent } from '../../../data/accounts/accreditation-verifications.ts';
import { recordRefusals } from '../../../data/compliance/order-refusals.ts';
import type { Database } from '../../../data/database.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { enhancementJobs } from '../../../data/events/schema.ts';
import { findListing } from '../../../data/listing/listing-events.ts';
import { accreditationRecords } from '../../../data/schema/accounts.ts';
import { brokerDifferences } from '../../../data/schema/broker.ts';
import { orderRefusals } from '../../../data/schema/compliance.ts';
import { venueOf } from '../../../durable-objects/broker/broker-of.ts';
import { createPair } from '../fixtures/create-pair.ts';
import type { Client } from '../fixtures/exchange-client.ts';
import { expectRightLedger } from '../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../fixtures/give-balance.ts';
import { migrate } from '../fixtures/migrate.ts';
import { placed } from '../fixtures/placing.ts';
import { EVERY_FIVE_MINUTES, EVERY_HOUR, runCron, tryCron } from '../fixtures/run-cron.ts';
import { settle } from '../fixtures/settle.ts';
import { skipTime } from '../fixtures/skip-time.ts';
import { orderOf, tradingClient } from '../fixtures/trading-client.ts';
import { waitingVerification } from '../fixtures/verification-provider.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const RICH = { cash: 10_000_00, netWorth: 2_000_000_00 };

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'FOLLOWER');
});

/** As the runtime calls it, at each of the times that wrangler.toml has. */
const everyFiveMinutes = () => runCron(EVERY_FIVE_MINUTES);
const everyHour = () => runCron(EVERY_HOUR);

const standingOf = async (client: Client) =>
  (await client.get<{ data: { accreditationStatus: string } }>('/v1/account')).body.data.accreditationStatus;
const isThere = async (table: string, id: string) =>
  (await env.DB.prepare(`SELECT 1 FROM ${table} WHERE id = ?1`).bind(id).first()) !== null;
const by = () => ({ id: uuidv7(), actor: 'an operator', requestId: 'a test' });

// Order archive: test/runtime/data/orders/archive/doors.test.ts.
describe('every five minutes', () => {
  test('verification providers are asked', async () => {
    const client = await tradingClient(db, RICH);
    await waitingVerification(db, client, Date.now() - 5 * MINUTE_MS);
    await everyHour();
    expect(await standingOf(client)).toBe('none');
    await everyFiveMinutes();
    expect(await standingOf(client)).toBe('completed');
  });

  test('accreditation ends whose verification has expired, or that an operator has ended', async () => {
    const [expired, ended] = [await tradingClient(db, RICH), await tradingClient(db, RICH)];
    for (const client of [expired, ended])
      await client.post('/v1/account/accreditation/verifications', { evidenceKind: 'net_worth' });
    expect([await standingOf(expired), await standingOf(ended)]).toEqual(['completed', 'completed']);
    const past = { expiresAt: Date.now() - 1 };
    await db.update(accreditationRecords).set(past).where(eq(accreditationRecords.account, expired.accountId));
    const end = { id: uuidv7(), account: ended.accountId, reason: 'forged', actor: 'an operator' };
    await endAccreditationOf(db, { ...end, createdAt: Date.now() - 2 * MINUTE_MS });
    await everyHour();
    expect([await standingOf(expired), await standingOf(ended)]).toEqual(['completed', 'completed']);
    await everyFiveMinutes();
    expect([await standingOf(expired), await standingOf(ended)]).toEqual(['expired', 'none']);
  });

  test('M-12: a job that fails is tried again, and holds up none of the others', async () => {
    const client = await tradingClient(db, RICH);
    await waitingVerification(db, client, Date.now() - 5 * MINUTE_MS);
    const broken = { ...env, ORDER_ARCHIVE_AFTER_DAYS: 'soon' } as unknown as Env;
    expect((await tryCron(EVERY_FIVE_MINUTES, broken)).failed).toEqual(['archive_orders']);
    expect(await standingOf(client)).toBe('completed');
  });

  test('markets follow what became of their asset', async () => {
    const dying = { ...env, LEDGER: { getByName: () => ({ projected: () => new Promise(() => undefined) }) } };
    const change = { id: 'follower', status: 'SUSPENDED', reason: 'a test' } as const;
    void setAssetStatus(dying as unknown as Env, change, by()).catch(() => undefined);
    await vi.waitFor(() =>
      env.DB.prepare('UPDATE pending_asset_changes SET tried_at = 0 RETURNING 1')
        .first()
        .then((row) => expect(row).not.toBeNull()),
    );
    const market = () => env.DB.prepare(`SELECT status FROM markets WHERE symbol = 'FOLLOWER-USD'`).first('status');
    await everyHour();
    expect(await market()).toBe('open');
    await everyFiveMinutes();
    expect(await market()).toBe('halted');
  });

  test('listing events go on', async () => {
    const issuer = await tradingClient(db, { owner: 'issuer-org' });
    await createPair(db, 'NOVA', {
      asset: {
        category: 'pre-ipo',
        executionRoute: 'indication',
        accreditationType: '506c',
        regulation: 'reg_d_506c',
        offeringType: '506c',
        issuerAccount: issuer.accountId,
      },
      market: { route: 'indication' },
    });
    await giveHolding({ accountId: issuer.accountId, asset: 'nova', lots: [{ quantity: 100 }] });
    const terms = { price: 20, sharesOffered: 100, lotSize: null, allocation: 'pro_rata', lockupMonths: 0 } as const;
    const announced = await announceListingEvent(env, { assetId: 'nova', ...terms, opensMarket: true }, by());
    if (!announced.ok) throw new Error(announced.error.message);
    skipTime(2 * MINUTE_MS);
    await everyHour();
    expect(await findListing(db, 'nova', announced.value.id)).toMatchObject({ state: 'announced' });
    await everyFiveMinutes();
    expect(await findListing(db, 'nova', announced.value.id)).toMatchObject({ state: 'done' });
  });

  test('trades settle that are due, and what the broker has is compared', async () => {
    await createPair(db, 'VENUES', {
      asset: { category: 'stocks', rail: 'public', executionRoute: 'broker', tracksLots: true },
      market: { route: 'broker', referencePrice: 400_00 },
    });
    const buyer = await tradingClient(db, RICH);
    const bought = await placed(buyer, { assetId: 'venues', side: 'BUY', orderType: 'market', quantity: 3 });
    // An answer of the broker that is lost is asked for again after 15 s.
    const settled = { interval: 100 };
    await vi.waitFor(async () => expect(await orderOf(buyer, bought)).toMatchObject({ status: 'EXECUTED' }), settled);
    await settle('VENUES-USD');
    // Tokens of before are over by then.
    const unsettled = () =>
      env.DB.prepare('SELECT sum(amount) AS sum FROM unsettled_sums WHERE account = ?1 AND asset = ?2')
        .bind(buyer.accountId, 'venues')
        .first<number>('sum');
    const differences = async () =>
      (await db.select().from(brokerDifferences)).map(({ kind, orderId }) => [kind, orderId]);
    expect(await unsettled()).toBe(3);
    skipTime(14 * DAY_MS);
    await everyHour();
    expect(await unsettled()).toBe(3);
    await everyFiveMinutes();
    await vi.waitFor(async () => expect(await unsettled()).toBeNull(), { interval: 100 });
    expect(await differences()).toEqual([]);
    await expectRightLedger();

    const elsewhere = { clientOrderId: 'elsewhere', symbol: 'VENUES', side: 'buy', type: 'limit' } as const;
    const terms = { timeInForce: 'gtc', quantity: '9', limitPrice: '1', stopPrice: null } as const;
    expect(await venueOf(env, 'broker').submit({ ...elsewhere, ...terms })).toMatchObject({ ok: true });
    await everyHour();
    expect(await differences()).toEqual([]);
    await everyFiveMinutes();
    expect(await differences()).toEqual([['open_there', 'elsewhere']]);
  });
});

// Codes and tokens: test/runtime/workers/iam/expired-records.test.ts. Retention of events: test/runtime/workers/events/retention.test.ts.
describe('every hour', () => {
  test('what was kept long enough is deleted: refusals, findings, events of the prime broker, images, enhancements', async () => {
    const { accountId: account, owner, userId } = await tradingClient(db);
    const refused = { account, owner, userId, keyId: null, action: 'place', asset: null, book: null } as const;
    const why = { code: 'INSUFFICIENT_BALANCE', rule: 'sufficient_balance', facts: '{}' };
    await recordRefusals(db, [
      { ...refused, ...why, id: 'refusal', orderId: 'refusal', at: Date.now() - 2_193 * DAY_MS },
    ]);
    await recordVerificationEvent(db, { id: 'finding', hash: 'ab', at: Date.now() - 31 * DAY_MS });
    const prime = `INSERT INTO prime_events (id, digest, received_at) VALUES ('webhook', 'ab', 0)`;
    await env.DB.prepare(prime).run();
    await env.ASSET_IMAGES.put('nowhere/image', new ArrayBuffer(1));
    await env.DB.prepare(`INSERT INTO unreferenced_images (object, since) VALUES ('nowhere/image', 0)`).run();
    const jobs = eventsDatabase(env.EVENTS_DB);
    const job = {
      id: uuidv7(),
      tenant: 'org-cron',
      createdBy: 'somebody',
      status: 'failed',
      fidelity: 1,
      upscale: 2,
    } as const;
    await jobs
      .insert(enhancementJobs)
      .values({ ...job, sourceKey: 'nowhere', createdAt: 1, updatedAt: 1, expiresAt: 1 });

    const left = async () => [
      (await db.select().from(orderRefusals).where(eq(orderRefusals.id, 'refusal'))).length > 0,
      await isThere('verification_events', 'finding'),
      await isThere('prime_events', 'webhook'),
      (await env.ASSET_IMAGES.head('nowhere/image')) !== null,
      (await jobs.select().from(enhancementJobs).where(eq(enhancementJobs.id, job.id))).length > 0,
    ];
    await everyFiveMinutes();
    expect(await left()).toEqual([true, true, true, true, true]);
    await everyHour();
    expect(await left()).toEqual([false, false, false, false, false]);
  });
});
