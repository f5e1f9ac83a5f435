import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { screenInvestors } from '../../../../application/partner/investors/screen-investors.ts';
import { screeningProviderOf } from '../../../../application/partner/investors/screening-provider-of.ts';
import type { Database } from '../../../../data/database.ts';
import { registerInvestorAccount } from '../../../../data/partner/investors.ts';
import { accreditationRecords, users } from '../../../../data/schema/accounts.ts';
import { investorChecks, investors } from '../../../../data/schema/investors.ts';
import { firstIdOf } from '../../../../domain/ids/created-at-of.ts';
import type { CheckKind } from '../../../../domain/partner/compliance.ts';
import { brokenFor } from '../../fixtures/broken-for.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let db: Database;
let lister: Partner;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
});

const body = (name = 'Ada Winters', account_type = 'individual') => ({
  name,
  account_type,
  country: 'US',
  us_person: true,
});

interface Check {
  readonly kind: CheckKind;
  readonly status: string;
  readonly expires_at: string | null;
}

interface Compliance {
  readonly cleared: boolean;
  readonly checks: readonly Check[];
}

const complianceOf = async (investorId: string, { client }: Partner = lister) =>
  (await client.get<Compliance>(`/v1/investors/${investorId}/compliance`)).body;

const statusOf = async (investorId: string, kind: CheckKind) =>
  (await complianceOf(investorId)).checks.find((check) => check.kind === kind)?.status;

const accountOf = async (investorId: string) =>
  (await lister.client.get<{ accounts: Record<string, unknown>[] }>(`/v1/investors/${investorId}`)).body.accounts[0];

/** As if the provider had not answered yet. */
const reopen = (investor: string, kind: CheckKind, change: Partial<typeof investorChecks.$inferInsert> = {}) =>
  db
    .update(investorChecks)
    .set({ status: 'pending', open: true, requestReference: null, askedAt: Date.now(), ...change })
    .where(and(eq(investorChecks.investor, investor), eq(investorChecks.kind, kind)));

/** Id of a request that was made so long from now. */
const askedForAt = (ms: number) => firstIdOf(Date.now() + ms);

const rename = (investor: string, name: string) => db.update(investors).set({ name }).where(eq(investors.id, investor));

describe('POST /v1/investors', () => {
  test('makes an investor whose checks are made at once, and who cannot sign in', async () => {
    const answer = await lister.client.post<{ investor_id: string }>(
      '/v1/investors',
      body('Winters Capital LP', 'entity'),
    );
    expect(answer).toMatchObject({
      status: 201,
      body: { name: 'Winters Capital LP', account_type: 'entity', country: 'US', us_person: true, accounts: [] },
    });
    const id = answer.body.investor_id;
    const { cleared, checks } = await complianceOf(id);
    expect(cleared).toBe(true);
    expect(checks.map(({ kind, status }) => [kind, status])).toEqual([
      ['kyc', 'passed'],
      ['kyb', 'passed'],
      ['sanctions_screening', 'passed'],
      ['adverse_media_screening', 'passed'],
      ['transaction_monitoring', 'passed'],
      ['accreditation', 'passed'],
    ]);
    for (const check of checks) {
      expect(check).toMatchObject({ provider: 'simulated', reason: null, in_progress: false });
      expect(Date.parse(check.expires_at ?? '')).toBeGreaterThan(Date.now());
    }
    expect(await db.select().from(users).where(eq(users.id, id))).toMatchObject([
      { owner: lister.organization, phone: null, roles: [] },
    ]);
  });

  test('a request that is sent again is one investor', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const ask = () => lister.client.post<{ investor_id: string }>('/v1/investors', body('Once Only'), key);
    const answers = [await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await db.select().from(investors).where(eq(investors.name, 'Once Only'))).toHaveLength(1);
  });

  test.each([
    ['no name', { ...body(), name: ' ' }],
    ['no kind of investor', { ...body(), account_type: 'robot' }],
    ['no country', { ...body(), country: 'usa' }],
    ['more than is asked for', { ...body(), kyc: 'passed' }],
  ])('one with %s is 400', async (_, malformed) => {
    expect(await lister.client.post('/v1/investors', malformed)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
  });

  test('nothing simulated checks anybody in production', () => {
    const production = { ...env, ENVIRONMENT: 'production' } as unknown as Env;
    expect(screeningProviderOf(production)).toBeNull();
    expect(screeningProviderOf(env)?.name).toBe('simulated');
    expect(screeningProviderOf({ ...env, SCREENING_PROVIDER: '' } as unknown as Env)).toBeNull();
  });
});

describe('POST /v1/investors/{id}/accounts', () => {
  test('opens accounts that the compliance record holds of', async () => {
    const { investorId, accountId } = await introducedInvestor(lister);
    const second = await lister.client.post(`/v1/investors/${investorId}/accounts`, undefined);
    const proven = {
      kyc_status: 'completed',
      accreditation_status: 'completed',
      accreditation_type: '506c',
      frozen: false,
    };
    expect(second).toMatchObject({ status: 201, body: proven });
    const { accounts } = (
      await lister.client.get<{ accounts: { account_id: string }[] }>(`/v1/investors/${investorId}`)
    ).body;
    expect(accounts).toMatchObject([{ account_id: accountId, ...proven }, proven]);
    const records = await db.select().from(accreditationRecords).where(eq(accreditationRecords.account, accountId));
    expect(records).toMatchObject([{ kind: 'third_party', verifier: 'simulated', actor: 'screening:simulated' }]);
  });

  test('ten of one investor at most', async () => {
    const { investorId } = await introducedInvestor(lister);
    const open = () => lister.client.post(`/v1/investors/${investorId}/accounts`, undefined);
    for (let account = 2; account <= 10; account++) expect((await open()).status).toBe(201);
    expect(await open()).toMatchObject({ status: 409, body: { error: { details: { limit: 10 } } } });
  });

  test('one whose facts a crash has left behind has them from the next run on', async () => {
    const { investorId } = await introducedInvestor(lister);
    const id = uuidv7();
    const action = { id, actor: lister.userId, requestId: 'a test' };
    const investor = { id: investorId, organization: lister.organization, usPerson: true };
    expect(await registerInvestorAccount(db, investor, { id, createdAt: Date.now() }, action)).toBe(true);
    const opened = async () =>
      (
        await lister.client.get<{ accounts: { account_id: string }[] }>(`/v1/investors/${investorId}`)
      ).body.accounts.find(({ account_id }) => account_id === id);
    expect(await opened()).toMatchObject({ kyc_status: 'pending', accreditation_status: 'none' });
    await screenInvestors(env, Date.now() + 5 * MINUTE_MS);
    expect(await opened()).toMatchObject({ kyc_status: 'completed', accreditation_type: '506c' });
  });
});

describe('the compliance record', () => {
  test.each([
    ['Ada Unidentified', 'kyc', { kyc_status: 'rejected', frozen: false }],
    ['Ada Sanctioned', 'sanctions_screening', { kyc_status: 'pending', frozen: true }],
    ['Ada Suspicious', 'transaction_monitoring', { kyc_status: 'pending', frozen: true }],
    ['Ada Notorious', 'adverse_media_screening', { kyc_status: 'pending', frozen: false }],
    ['Ada Unaccredited', 'accreditation', { kyc_status: 'completed', accreditation_status: 'none' }],
  ] as const)('makes the facts of the accounts of %s', async (name, kind, facts) => {
    const { investorId } = await introducedInvestor(lister, { name });
    expect(await statusOf(investorId, kind)).toBe('failed');
    expect(await accountOf(investorId)).toMatchObject(facts);
  });

  test('waits for a provider that has not decided, who is asked again every five minutes', async () => {
    const { investorId } = await introducedInvestor(lister, { name: 'Ada Undecided' });
    expect(await statusOf(investorId, 'kyc')).toBe('pending');
    expect(await accountOf(investorId)).toMatchObject({ kyc_status: 'pending' });
    await rename(investorId, 'Ada Winters');
    await screenInvestors(env, Date.now() + MINUTE_MS);
    expect(await statusOf(investorId, 'kyc')).toBe('pending');
    await screenInvestors(env, Date.now() + 5 * MINUTE_MS);
    expect((await complianceOf(investorId)).cleared).toBe(true);
    expect(await accountOf(investorId)).toMatchObject({ kyc_status: 'completed', accreditation_type: '506c' });
  });

  test('of one that cannot be carried on keeps back no other, and the run says for how many it failed', async () => {
    const introduced = [];
    for (let count = 0; count < 3; count++)
      introduced.push(await introducedInvestor(lister, { name: 'Ada Undecided' }));
    const ids = introduced.map(({ investorId }) => investorId);
    for (const id of ids) await rename(id, 'Ada Winters');
    const run = screenInvestors(brokenFor(ids.slice(0, 2)), Date.now() + 5 * MINUTE_MS);
    expect(await run.catch((error: unknown) => error)).toMatchObject({
      message: 'the screening of an investor was not carried on: 2 failed',
    });
    const cleared = async () => (await Promise.all(ids.map((id) => complianceOf(id)))).map((record) => record.cleared);
    expect(await cleared()).toEqual([false, false, true]);
    await screenInvestors(env, Date.now() + 10 * MINUTE_MS);
    expect(await cleared()).toEqual([true, true, true]);
  });

  test('asks anew, under another id, where a provider is silent for 30 days or is not asked any more', async () => {
    const { investorId } = await introducedInvestor(lister);
    const silent = '018f0000-0000-7000-8000-000000000001';
    await reopen(investorId, 'kyc', { request: silent });
    await reopen(investorId, 'accreditation', { requestProvider: 'another' });
    for (const minutes of [5, 10]) await screenInvestors(env, Date.now() + minutes * MINUTE_MS);
    expect(await statusOf(investorId, 'kyc')).toBe('passed');
    expect(await statusOf(investorId, 'accreditation')).toBe('passed');
    const asked = await db.select().from(investorChecks).where(eq(investorChecks.investor, investorId));
    for (const { request, requestProvider } of asked) {
      expect(request).not.toBe(silent);
      expect(requestProvider).toBe('simulated');
    }
  });

  test('is made anew before a check ends, and the investor goes on trading meanwhile', async () => {
    const { investorId } = await introducedInvestor(lister);
    const before = (await complianceOf(investorId)).checks;
    const at = Date.now() + 28 * DAY_MS;
    const soon = {
      checkedAt: Date.now() - 28 * DAY_MS,
      expiresAt: Date.now() + 2 * DAY_MS,
      request: askedForAt(-DAY_MS),
    };
    await db.update(investorChecks).set(soon).where(eq(investorChecks.investor, investorId));
    await screenInvestors(env, Date.now());
    const after = (await complianceOf(investorId)).checks;
    expect(after.map(({ status }) => status)).toEqual(before.map(() => 'passed'));
    for (const { expires_at } of after) expect(Date.parse(expires_at ?? '')).toBeGreaterThan(at);
    expect(await accountOf(investorId)).toMatchObject({ kyc_status: 'completed' });
  });

  test.each([
    ['at half of a life of a day', -DAY_MS / 2, DAY_MS / 2, -DAY_MS / 2, true],
    ['not before', -DAY_MS / 2 + MINUTE_MS, DAY_MS / 2, -DAY_MS, false],
    ['not within half a day of the last request', -28 * DAY_MS, 2 * DAY_MS, -DAY_MS / 2 + MINUTE_MS, false],
    ['though it has ended meanwhile', -DAY_MS, -MINUTE_MS, -DAY_MS / 2, true],
  ])('is made anew by itself %s', async (_, checked, expires, asked, isAnew) => {
    const { investorId } = await introducedInvestor(lister);
    const isIts = and(eq(investorChecks.investor, investorId), eq(investorChecks.kind, 'sanctions_screening'));
    const request = askedForAt(asked - 1_000);
    const now = Date.now();
    await db
      .update(investorChecks)
      .set({ checkedAt: now + checked - 1_000, expiresAt: now + expires, request })
      .where(isIts);
    await screenInvestors(env, now);
    const [row] = await db.select().from(investorChecks).where(isIts);
    expect(row?.request !== request).toBe(isAnew);
  });

  test.each([
    [13, true],
    [11, false],
  ])('a request of %i hours ago whose finding does not do is made anew: %o', async (hours, isAnew) => {
    const { investorId } = await introducedInvestor(lister);
    const request = askedForAt(-hours * 60 * MINUTE_MS);
    await reopen(investorId, 'kyc', { request, askedAt: 0, requestProvider: 'http', requestReference: 'theirs' });
    const future = new Date(Date.now() + DAY_MS).toISOString();
    const answer = async () => Response.json({ id: 'theirs', status: 'passed', checkedAt: future });
    vi.stubGlobal('fetch', answer);
    const http = { SCREENING_PROVIDER: 'http', SCREENING_URL: 'https://screening.example', SCREENING_TOKEN: 'a token' };
    await screenInvestors({ ...env, ...http } as unknown as Env).finally(() => vi.unstubAllGlobals());
    const isIts = and(eq(investorChecks.investor, investorId), eq(investorChecks.kind, 'kyc'));
    const [row] = await db.select().from(investorChecks).where(isIts);
    expect(row).toMatchObject({ status: 'pending', open: true });
    expect(row?.request !== request).toBe(isAnew);
  });

  test('ends a check that nobody makes anew, and the facts with it', async () => {
    const { investorId } = await introducedInvestor(lister);
    const over = { expiresAt: Date.now() - 1 };
    const isIts = and(eq(investorChecks.investor, investorId), eq(investorChecks.kind, 'sanctions_screening'));
    await db.update(investorChecks).set(over).where(isIts);
    expect(await statusOf(investorId, 'sanctions_screening')).toBe('expired');
    await screenInvestors({ ...env, SCREENING_PROVIDER: '' } as unknown as Env);
    expect(await accountOf(investorId)).toMatchObject({ kyc_status: 'pending', frozen: false });
  });
});

describe('POST /v1/investors/{id}/compliance/{kind}/rescreen', () => {
  const rescreen = (investorId: string, kind: CheckKind, headers = {}) =>
    lister.client.post(`/v1/investors/${investorId}/compliance/${kind}/rescreen`, undefined, headers);

  test('makes a check anew: what it finds takes the place of what stood', async () => {
    const { investorId } = await introducedInvestor(lister, { name: 'Ada Unidentified' });
    await rename(investorId, 'Ada Winters');
    skipTime(MINUTE_MS);
    expect((await rescreen(investorId, 'kyc')).status).toBe(200);
    expect(await statusOf(investorId, 'kyc')).toBe('passed');
    expect(await accountOf(investorId)).toMatchObject({ kyc_status: 'completed' });
  });

  test('a check that fails ends the accreditation that earlier ones have made', async () => {
    const { investorId } = await introducedInvestor(lister);
    await rename(investorId, 'Ada Unaccredited');
    skipTime(MINUTE_MS);
    await rescreen(investorId, 'accreditation');
    expect(await accountOf(investorId)).toMatchObject({ accreditation_status: 'none', kyc_status: 'completed' });
  });

  test('a freeze is an operator’s to lift, and one of theirs stays', async () => {
    const sanctioned = await introducedInvestor(lister, { name: 'Ada Sanctioned' });
    const frozen = await introducedInvestor(lister);
    await setFacts(frozen.accountId, { frozen: true });
    skipTime(MINUTE_MS);
    for (const { investorId } of [sanctioned, frozen]) {
      await rename(investorId, 'Ada Winters');
      await rescreen(investorId, 'sanctions_screening');
      expect(await accountOf(investorId)).toMatchObject({ kyc_status: 'completed', frozen: true });
    }
  });

  test('one at a time, and not within a minute; a repetition is the same', async () => {
    const { investorId } = await introducedInvestor(lister);
    expect(await rescreen(investorId, 'kyc')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'too_soon' } } },
    });
    skipTime(MINUTE_MS);
    await rename(investorId, 'Ada Undecided');
    const key = { 'idempotency-key': uuidv7() };
    expect((await rescreen(investorId, 'kyc', key)).status).toBe(200);
    expect((await rescreen(investorId, 'kyc', key)).status).toBe(200);
    expect(await statusOf(investorId, 'kyc')).toBe('passed');
    expect(await rescreen(investorId, 'kyc')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'open_request' } } },
    });
  });

  test('a check that is not made of a person is 404', async () => {
    const { investorId } = await introducedInvestor(lister);
    expect((await rescreen(investorId, 'kyb')).status).toBe(404);
  });
});

describe('an investor', () => {
  test('is listed for who has introduced it alone, page by page', async () => {
    const own = await createPartner(db, 'cross_lister');
    const [first, second] = [await introducedInvestor(own), await introducedInvestor(own)];
    const idsOf = (answer: { body: { investors: { investor_id: string; accounts: { account_id: string }[] }[] } }) =>
      answer.body.investors.map(({ investor_id, accounts }) => [investor_id, accounts[0]?.account_id]);
    const list = (query = '') => own.client.get<Parameters<typeof idsOf>[0]['body']>(`/v1/investors${query}`);
    expect(idsOf(await list())).toEqual([
      [first.investorId, first.accountId],
      [second.investorId, second.accountId],
    ]);
    expect((await list('?limit=1')).headers.get('link')).toContain(`cursor=${first.investorId}`);
    expect(idsOf(await list(`?limit=1&cursor=${first.investorId}`))).toEqual([[second.investorId, second.accountId]]);
  });

  test('is read by the agent of a security that it holds, and by no other', async () => {
    const agent = await createPartner(db, 'transfer_agent');
    const agentState = 'accepted';
    const { securityId } = await listedSecurity(db, lister, 'HELD', { transferAgent: agent.organization, agentState });
    const proposed = await createPartner(db, 'transfer_agent');
    await listedSecurity(db, lister, 'NOTHELD', { transferAgent: proposed.organization, agentState });
    const { investorId, accountId } = await introducedInvestor(lister);
    const reads = async ({ client }: Partner) => [
      (await client.get(`/v1/investors/${investorId}`)).status,
      (await client.get(`/v1/investors/${investorId}/compliance`)).status,
    ];
    expect(await reads(agent)).toEqual([404, 404]);
    await giveHolding({ accountId, asset: securityId, lots: [{ quantity: 5 }] });
    expect(await reads(agent)).toEqual([200, 200]);
    expect(await reads(proposed)).toEqual([404, 404]);
    expect(await reads(await createPartner(db, 'cross_lister'))).toEqual([404, 404]);
  });

  test('is no user of the exchange who is not an investor', async () => {
    const { userId } = await createTrader(db, { owner: lister.organization });
    expect((await lister.client.get(`/v1/investors/${userId}`)).status).toBe(404);
  });
});
