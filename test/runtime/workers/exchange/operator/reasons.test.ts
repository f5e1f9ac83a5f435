import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { callWorker } from '../../../fixtures/call-worker.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn, tokensOf } from '../../../fixtures/exchange-client.ts';
import { migrate } from '../../../fixtures/migrate.ts';

let db: Database;
let venueOperator: Trader;
let operator: Client;
let account: string;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'WHY');
  venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(venueOperator);
  account = (await createTrader(db, { cash: 1_000_00 })).accountId;
});

type Verb = 'post' | 'patch';

/** What is asked of whom, with which body, and the subject of its entry. */
const ACTIONS = [
  ['post', () => '/v1/operator/markets/WHY-USD/halt', () => ({}), () => 'WHY-USD'],
  ['post', () => '/v1/operator/markets/WHY-USD/resume', () => ({}), () => 'WHY-USD'],
  ['post', () => '/v1/operator/venue/halt', () => ({}), () => 'venue'],
  ['post', () => '/v1/operator/venue/resume', () => ({}), () => 'venue'],
  ['post', () => `/v1/operator/accounts/${account}/freeze`, () => ({}), () => account],
  ['post', () => `/v1/operator/accounts/${account}/unfreeze`, () => ({}), () => account],
  ['patch', () => `/v1/operator/accounts/${account}/facts`, () => ({ netWorth: 1_000 }), () => account],
  ['patch', () => '/v1/operator/markets/WHY-USD', () => ({ bandBps: 500 }), () => 'WHY-USD'],
  ['post', () => '/v1/operator/deposits', () => ({ accountId: account, assetId: 'usd', amount: 5 }), () => account],
  ['post', () => '/v1/operator/withdrawals', () => ({ accountId: account, assetId: 'usd', amount: 5 }), () => account],
] as const satisfies readonly (readonly [Verb, () => string, () => object, () => string])[];

async function lastEntryOf(subject: string): Promise<{ readonly details: Readonly<Record<string, unknown>> }> {
  const { body } = await operator.get<{ data: { details: Record<string, unknown> }[] }>(
    `/v1/operator/audit-trail?subject=${subject}&limit=1`,
  );
  const [entry] = body.data;
  if (entry === undefined) throw new Error(`nothing was done to ${subject}`);
  return entry;
}

describe('why an operator acts', () => {
  test.each(ACTIONS)('stands in the audit trail where it is stated: %s %o', async (verb, path, body, subject) => {
    const reason = `because of ${path()}`;
    expect((await operator[verb](path(), { ...body(), reason })).status).toBe(200);
    expect((await lastEntryOf(subject())).details).toMatchObject({ reason });
  });

  test.each(ACTIONS)('has a bound, and nothing else is taken beside it: %s %o', async (verb, path, body) => {
    for (const more of [{ reason: 'x'.repeat(501) }, { reason: '' }, { reason: 7 }, { because: 'of it' }])
      expect((await operator[verb](path(), { ...body(), ...more })).status).toBe(400);
  });

  test('may be left out, also with a body that is empty', async () => {
    expect((await operator.post('/v1/operator/markets/WHY-USD/halt', undefined)).status).toBe(200);
    expect((await lastEntryOf('WHY-USD')).details).not.toHaveProperty('reason');
    const headers = await tokensOf(venueOperator);
    const resume = 'http://localhost/exchange/v1/operator/markets/WHY-USD/resume';
    const json = { ...headers, 'content-type': 'application/json' };
    expect((await callWorker(resume, { method: 'POST', headers: json })).status).toBe(200);
    const text = { ...headers, 'content-type': 'text/plain' };
    expect((await callWorker(resume, { method: 'POST', headers: text, body: 'because' })).status).toBe(415);
  });
});
