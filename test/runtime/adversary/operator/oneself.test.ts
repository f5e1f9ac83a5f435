import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createTestKey } from '../../fixtures/api-key.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type Client, type ErrorBody, signedIn, tokensOf } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { profiles } from '../../fixtures/profiles.ts';

/** What an operator may do though it be about themselves, by why. */
const MAY_BE_OWN: Readonly<Record<string, readonly string[]>> = {
  'it takes away, stops or waits for nobody': [
    'POST /v1/operator/accounts/{id}/accreditation/end',
    'POST /v1/operator/accounts/{id}/freeze',
    'POST /v1/operator/applications/end',
    'POST /v1/operator/event-departures/stop',
    'POST /v1/operator/oauth-clients/{id}/revoke',
    'POST /v1/operator/users/{id}/factor-recovery/stop',
  ],
  'a rule of its own refuses what is own': [
    'POST /v1/operator/approvals/{id}/approve',
    'POST /v1/operator/approvals/{id}/reject',
    'PATCH /v1/operator/users/{id}',
    'POST /v1/operator/onboarding/{id}/approve',
    'POST /v1/operator/onboarding/{id}/ask-back',
    'POST /v1/operator/onboarding/{id}/refuse',
    'POST /v1/operator/users/{id}/deactivate',
    'POST /v1/operator/users/{id}/factor-recovery',
    'POST /v1/operator/users/{id}/reactivate',
  ],
  'a client speaks for a person once that person has agreed, and for itself by an operator who is shown its secret': [
    'POST /v1/operator/oauth-clients',
    'POST /v1/operator/oauth-clients/{id}/rotate',
    'PUT /v1/operator/oauth-clients/{id}/redirect-uris',
  ],
  'it names nobody': ['POST /v1/operator/users', 'POST /v1/signing-keys/rotate'],
  'whom a case is about is told that there is none': [
    'POST /v1/operator/surveillance/{id}/assign',
    'POST /v1/operator/surveillance/{id}/close',
    'POST /v1/operator/surveillance/{id}/notes',
    'POST /v1/operator/surveillance/{id}/reopen',
  ],
};

/** Parts of a path behind which no person's affairs are. */
const OF_NOBODY =
  /^(POST|PUT|PATCH|DELETE) \/v1\/operator\/(approvals$|applications\/readmit|assets|books|bridge\/(organizations|tenants|transfers\/\{id\}\/proofs)|corporate-actions|currencies|event-roles|incidents|ledger|markets(?!.*broker-breaks)|organizations|partners|prime-events|rates|register-events|securities|settlements|venue|webhooks)/;

it('every write of an operator that may be about a person is never of whoever makes it, but for those that have a reason', () => {
  const powers: readonly unknown[] = ['run_venue', 'set_rate_limits', 'rotate_signing_keys'];
  const writes = [...profiles.exchange.routes, ...profiles.iam.routes].filter(
    ({ access, method }) => 'power' in access && powers.includes(access.power) && method !== 'get',
  );
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
  const open = writes
    .filter((route) => route.neverOfOneself !== true)
    .map(nameOf)
    .filter((name) => !OF_NOBODY.test(name));
  const stated = Object.values(MAY_BE_OWN).flat();
  expect(open.filter((name) => !stated.includes(name))).toEqual([]);
  expect(stated.filter((name) => !open.includes(name))).toEqual([]);
});

describe('whatever the venue asks for, an operator does nothing of this for themselves', () => {
  let db: Database;
  let olivia: Trader;
  let client: Client;
  let bot: Client;

  beforeAll(async () => {
    db = await migrate();
    olivia = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    client = await signedIn(olivia);
    const service = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'], service: true });
    const terms = { id: 'bot-of-olivia', owner: VENUE_OWNER, name: 'Bot', kind: 'machine', userId: service.userId };
    expect((await client.post('/v1/operator/oauth-clients', terms)).status).toBe(200);
    bot = await signedIn(service, { client_id: 'bot-of-olivia', gty: 'client_credentials' });
  });

  const row = (statement: string, ...values: unknown[]) =>
    db.$client
      .prepare(statement)
      .bind(...values)
      .run();

  type Call = readonly [method: 'post' | 'patch', path: string, body: object];
  const CALLS: readonly (readonly [string, () => Call | Promise<Call>])[] = [
    ['facts', () => ['patch', `/v1/operator/accounts/${olivia.accountId}/facts`, { usPerson: false }]],
    ['facts that take away', () => ['patch', `/v1/operator/accounts/${olivia.accountId}/facts`, { netWorth: 0 }]],
    [
      'a verification',
      () => [
        'post',
        `/v1/operator/accounts/${olivia.accountId.toUpperCase()}/verifications`,
        {
          verifier: 'Adviser LLC',
          evidence: 'box 7',
          verifiedAt: new Date().toISOString(),
          expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
        },
      ],
    ],
    [
      'a request for a verification',
      async () => {
        const id = crypto.randomUUID();
        await row(
          `INSERT INTO accreditation_verifications (id, account, owner, evidence_kind, provider, state, actor, created_at, asked_at)
           VALUES (?1, ?2, 'exchange', 'income', 'p', 'IN_REVIEW', 'a', 1, 1)`,
          id,
          olivia.accountId,
        );
        return ['post', `/v1/operator/accreditation-verifications/${id}/allow`, { reason: 'x' }];
      },
    ],
    [
      'a relative of theirs',
      async () => [
        'post',
        `/v1/operator/users/${(await createTrader(db)).userId}/family`,
        { relativeId: olivia.userId, relationship: 'spouse', evidence: 'box 7' },
      ],
    ],
    ['money', () => ['post', '/v1/operator/deposits', { accountId: olivia.accountId, assetId: 'usd', amount: 5 }]],
    ['a freeze', () => ['post', `/v1/operator/accounts/${olivia.accountId}/unfreeze`, { reason: 'x' }]],
    [
      'a transfer of the bridge',
      async () => {
        const id = crypto.randomUUID();
        await row(
          `INSERT INTO bridge_transfers (id, organization, hostname, commitment, state, changes, updated_at, terms)
           VALUES (?1, 'org-test', 'bridge.example', ?1, 'failed', 1, 1, json_object('source', json_object('account', ?2)))`,
          id,
          olivia.accountId,
        );
        return [
          'post',
          `/v1/operator/bridge/transfers/${id}/return`,
          { payer: 'somebody', reason: 'paid by somebody else' },
        ];
      },
    ],
  ];

  test.each(CALLS)('%s, nor by a client whose secret they were shown', async (_, callOf) => {
    const [method, path, body] = await callOf();
    for (const by of [client, bot]) {
      const answer = await by[method]<ErrorBody>(path, body);
      expect([answer.status, answer.body.error.details.reason]).toEqual([403, 'about_you']);
    }
  });

  test('limits of their own key', async () => {
    const key = await createTestKey(olivia);
    const { authorization = '' } = await tokensOf(olivia);
    const asked = { headers: { authorization }, json: { orders: 1_000_000 } };
    expect((await call(`PUT /iam/v1/keys/${key.id}/rate-limits`, asked)).status).toBe(403);
  });

  test('limits of a key that they have made for somebody, and so know the secret of', async () => {
    const trader = await createTrader(db);
    const key = await createTestKey(trader);
    const { authorization = '' } = await tokensOf(olivia);
    const asked = { headers: { authorization }, json: { orders: 1_000 } };
    await row('UPDATE api_keys SET made_by = ?1 WHERE id = ?2', olivia.userId, key.id);
    expect((await call(`PUT /iam/v1/keys/${key.id}/rate-limits`, asked)).status).toBe(403);
    await row('UPDATE api_keys SET made_by = NULL WHERE id = ?1', key.id);
    expect((await call(`PUT /iam/v1/keys/${key.id}/rate-limits`, asked)).status).toBe(200);
  });

  test('for others all of it is done as before', async () => {
    const trader = await createTrader(db);
    const path = `/v1/operator/accounts/${trader.accountId}/facts`;
    expect((await client.patch(path, { usPerson: false })).status).toBe(200);
  });
});
