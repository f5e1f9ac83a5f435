import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { carryOnRegisters, changeRegister } from '../../../../application/partner/register/change-register.ts';
import { issueShares } from '../../../../application/partner/register/issue-shares.ts';
import { carryOnTransfers } from '../../../../application/partner/register/transfers.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { setConsent } from '../../../../data/partner/register/consents.ts';
import {
  announceEvent,
  findRegisterEvent,
  NOT_ANNOUNCED,
  type RegisterLine,
  recordEvent,
  refuseEvent,
  type StagedEvent,
  stageEvent,
} from '../../../../data/partner/register/register-events.ts';
import { findRegisteredSecurity } from '../../../../data/partner/register/registered-security.ts';
import {
  findTransferInstruction,
  moveTransfer,
  recordTransfer,
  shownUpTo,
} from '../../../../data/partner/register/transfer-instructions.ts';
import { securities } from '../../../../data/schema/partner.ts';
import { registerHolders } from '../../../../data/schema/register.ts';
import { DAY_MS, MINUTE_MS } from '../../../../domain/calendar/durations.ts';
import type { RegisterEntry } from '../../../../domain/ledger/transactions.ts';
import { REGISTER_EVENT_TYPES } from '../../../../domain/register/register-event.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';
import { tradingClient } from '../../fixtures/trading-client.ts';

/** Of a trade that is made now no earlier day is recorded. */
const TODAY = new Date().toISOString().slice(0, 10);
/** To the second: no trade of this file is of a later day. */
const NOW = new Date().toISOString().slice(0, 19);

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
});

/** Each part has an agent of its own: all reads of one within a minute would be more than an agent may make. */
const withAgent = () =>
  beforeAll(async () => {
    agent = await createPartner(db, 'transfer_agent');
  });

let pairs = 0;

/** A listed security of the agent's, with its market; its id. */
async function listed(): Promise<{ id: string; symbol: string }> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `REG${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `REG${pairs}`, ...accepted });
  return { id, symbol };
}

const post = (path: string, body: object, as = agent) => as.client.post(path, body);
const issue = (id: string, body: object) => post(`/v1/captable/${id}/issuances`, body);
const holdersOf = async (id: string, query = '') => {
  const { body } = await agent.client.get<{ holders: Record<string, unknown>[] }>(`/v1/captable/${id}/holders${query}`);
  return body.holders;
};
/** The holder that an account is in a register, read past the agent's limit of reads. */
const holderOf = async (account: string, security: string) => {
  const [row] = await db
    .select({ id: registerHolders.id })
    .from(registerHolders)
    .where(and(eq(registerHolders.account, account), eq(registerHolders.security, security)));
  return row?.id ?? '';
};
const tableOf = async (id: string, query = '') =>
  (await agent.client.get<Record<string, unknown>>(`/v1/captable/${id}${query}`)).body;

const inLedger = async (account: string, asset: string) => {
  const balance = (await ledgerOf(env).balances(account)).find((each) => each.asset === asset);
  return (balance?.available ?? 0) + (balance?.held ?? 0);
};

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  const wrong = (await runAudit(db)).filter(({ holds }) => !holds);
  expect(wrong).toEqual([]);
}

/** One sells so many to the other, at 10 dollars. */
async function trade(symbol: string, seller: KeyHolder, buyer: KeyHolder, quantity: number): Promise<void> {
  const order = { symbol, type: 'limit', size: quantity, price: 10, time_in_force: 'GTC' };
  expect((await seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBeLessThan(300);
  expect((await buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBeLessThan(300);
  await settle(symbol);
}

/** One offers so many at 99 dollars; the id of the order. */
async function offer(symbol: string, seller: KeyHolder, quantity: number): Promise<string> {
  const order = { symbol, side: 'sell', type: 'limit', size: quantity, price: 99, time_in_force: 'GTC' };
  const { status, body } = await seller.client.post('/v1/orders', order);
  expect(status).toBeLessThan(300);
  return (body as { order_id: string }).order_id;
}

async function transfersOf(id: string, query = '') {
  const { body } = await agent.client.get<{ transfers: { transfer_instruction_id: string; status: string }[] }>(
    `/v1/transfers?security_id=${id}${query}`,
  );
  return body.transfers;
}

const actionOf = () => ({
  id: uuidv7(),
  actor: 'a',
  agent: agent.organization,
  recordDate: null,
  notes: null,
  now: Date.now(),
});

/** Seven shares for a holder without an account. */
const LINES: readonly RegisterLine[] = [
  {
    holder: { id: uuidv7(), account: null, reference: 'S', kind: 'individual', name: 'Sal', country: null },
    shares: 7,
    cost: 0,
    acquiredAt: 1,
    restrictionEndsAt: null,
    offeringType: null,
    certificate: null,
    legend: false,
  },
];

const issuanceOf = (security: string): StagedEvent => ({
  id: uuidv7(),
  security,
  type: 'issuance',
  hash: 'h',
  recordDate: null,
  notes: null,
  actor: 'a',
  createdAt: Date.now(),
});

const COMPLETION = {
  status: 'completed',
  record_date: TODAY,
  legend_applied: true,
  cap_table_updated_at: `${NOW}Z`,
};

describe('POST /v1/captable/{security_id}/issuances', () => {
  withAgent();

  test('issues to accounts and to holders without one: cap table and ledger agree', async () => {
    const { id } = await listed();
    const { accountId } = await createKeyHolder(db);
    expect(await issue(id, { account_id: accountId, shares: 70, restriction_ends_at: null })).toMatchObject({
      status: 200,
      body: { shares: 70, event: { event_type: 'issuance', sequence: 1 } },
    });
    const other = { holder_reference: 'H-1', holder_name: 'Grace Trust', holder_kind: 'entity', country: 'US' };
    const certified = {
      ...other,
      shares: 30,
      certificate_number: 'CS-1',
      record_date: '2026-01-01',
      notes: 'founders',
    };
    expect((await issue(id, certified)).status).toBe(200);
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 100, holders: 2, sequence: 2 });
    expect((await holdersOf(id)).map((each) => [each.reference, each.shares])).toEqual(
      expect.arrayContaining([
        [`account:${accountId}`, 70],
        ['H-1', 30],
      ]),
    );
    expect(await inLedger(accountId, id)).toBe(70);
    expect(await inLedger('boundary:register', id)).toBe(30);
    expect(await inLedger('boundary:issuance', id)).toBe(-100);
    expect((await lister.client.get(`/v1/captable/${id}/history`)).body).toMatchObject({
      events: [
        { sequence: 1, outstanding_change: 70, line_count: 1 },
        {
          sequence: 2,
          outstanding_change: 30,
          record_date: '2026-01-01',
          notes: 'founders',
          lines: [{ name: 'Grace Trust', shares: 30, certificate_number: 'CS-1' }],
        },
      ],
    });
    await expectRight();
  });

  test('is made once, however often it is asked for', async () => {
    const { id } = await listed();
    const body = { holder_reference: 'H', holder_name: 'Ada', shares: 5 };
    const headers = { 'idempotency-key': uuidv7() };
    for (let n = 0; n < 2; n++)
      expect((await agent.client.post(`/v1/captable/${id}/issuances`, body, headers)).status).toBe(200);
    const { body: history } = await agent.client.get<{ events: { event_id: string }[] }>(`/v1/captable/${id}/history`);
    await recordEvent(db, { id: history.events[0]?.event_id ?? '', security: id }, Date.now());
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 5, sequence: 1 });
  });

  test('refuses a certificate that the register knows, and an account that is none', async () => {
    const { id } = await listed();
    const body = { holder_reference: 'H', holder_name: 'Ada', shares: 5, certificate_number: 'CS-1' };
    expect((await issue(id, body)).status).toBe(200);
    expect(await issue(id, body)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'certificate_exists', certificates: ['CS-1'] } } },
    });
    expect(await issue(id, { account_id: 'boundary:fees', shares: 5 })).toMatchObject({
      status: 400,
      body: { error: { details: { errors: [{ row: 1, field: 'account_id' }] } } },
    });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 5 });
  });

  test('gives nothing to an account that is frozen or not identified, and an import names its rows', async () => {
    const { id } = await listed();
    const frozen = await createKeyHolder(db, { frozen: true });
    const pending = await createKeyHolder(db, { kycStatus: 'pending' });
    const good = await createKeyHolder(db);
    await expectRight();
    for (const { accountId } of [frozen, pending])
      expect(await issue(id, { account_id: accountId, shares: 5 })).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'account_not_eligible', account_id: accountId } } },
      });
    const holders = [good, frozen, good, pending].map(({ accountId }) => ({ account_id: accountId, shares: 1 }));
    for (const query of ['', '?dry_run=true'])
      expect(await post(`/v1/captable/${id}/import${query}`, { holders })).toMatchObject({
        status: 400,
        body: {
          error: {
            details: {
              error_count: 2,
              errors: [2, 4].map((row) => ({
                row,
                field: 'account_id',
                message: expect.stringContaining('account_not_eligible'),
              })),
            },
          },
        },
      });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 0, sequence: 0 });
    for (const { accountId } of [frozen, pending, good]) expect(await inLedger(accountId, id)).toBe(0);
  });

  test('goes to accounts of the lister’s investors, of holders, and of who takes registered shares; others are no accounts', async () => {
    const [{ id }, { id: elsewhere }] = [await listed(), await listed()];
    const theirs = await introducedInvestor(await createPartner(db, 'cross_lister'));
    const own = await introducedInvestor(lister);
    const person = await tradingClient(db, { takesShares: false });
    expect(await ledgerOf(env).projected()).toBe(true);
    const give = (account_id: string, security = id) =>
      issue(security, { account_id, shares: 1, restriction_ends_at: null });
    const unknown = { status: 400, body: { error: { details: { errors: [{ row: 1, field: 'account_id' }] } } } };
    expect(await give(theirs.accountId)).toMatchObject(unknown);
    expect(await give(person.accountId)).toMatchObject(unknown);
    expect((await agent.client.get(`/v1/investors/${theirs.investorId}/compliance`)).status).toBe(404);
    expect((await give(own.accountId)).status).toBe(200);
    const path = '/v1/account/registered-shares';
    expect((await person.get(path)).body).toMatchObject({ data: { accepted: false, acceptedAt: null } });
    for (let n = 0; n < 2; n++)
      expect((await person.put(path, { accepted: true })).body).toMatchObject({
        data: { accepted: true, acceptedAt: expect.stringMatching(/Z$/) },
      });
    expect((await give(person.accountId)).status).toBe(200);
    expect((await person.put(path, { accepted: false })).body).toMatchObject({ data: { accepted: false } });
    expect(await ledgerOf(env).projected()).toBe(true);
    // Who holds a security is known to its agent, and to that of no other.
    expect((await give(person.accountId)).status).toBe(200);
    expect(await give(person.accountId, elsewhere)).toMatchObject(unknown);
    await expectRight();
  });

  test('an issuance that was announced goes on, though its owner has taken the consent back', async () => {
    const { id } = await listed();
    const { accountId } = await createKeyHolder(db);
    const security = await findRegisteredSecurity(db, { ...agent, role: 'transfer_agent' }, id);
    if (security?.scale == null) throw new Error('no such security');
    const to = { ...security, scale: security.scale };
    const action = actionOf();
    const make = () => issueShares(env, to, 'issuance', [{ account_id: accountId, shares: 5 }], { action });
    expect(await make()).toMatchObject({ ok: true });
    await setConsent(db, accountId, false, Date.now());
    const [{ holder_id } = { holder_id: '' }] = await holdersOf(id);
    expect((await post(`/v1/captable/${id}/cancellations`, { holder_id, shares: 5 })).status).toBe(200);
    expect(await make()).toMatchObject({ ok: true, value: { event: { state: 'recorded' } } });
    expect(await inLedger(accountId, id)).toBe(0);
  });

  test('is judged by no less than the ledger knows: while that cannot be told, nothing is begun', async () => {
    const { id } = await listed();
    const { accountId } = await createKeyHolder(db);
    const security = await findRegisteredSecurity(db, { ...agent, role: 'transfer_agent' }, id);
    if (security?.scale == null) throw new Error('no such security');
    const action = actionOf();
    const away = { ...env, LEDGER: { getByName: () => ({}) } } as unknown as Env;
    const row = { account_id: accountId, shares: 5 };
    const answer = await issueShares(away, { ...security, scale: security.scale }, 'issuance', [row], { action });
    expect(answer).toEqual({ ok: false, error: { reason: 'outcome_unknown' } });
    expect(await findRegisterEvent(db, action.id)).toBeNull();
  });

  test('an issuance that was made is answered as made, though its account was frozen since', async () => {
    const { id } = await listed();
    const { accountId } = await createKeyHolder(db);
    const security = await findRegisteredSecurity(db, { ...agent, role: 'transfer_agent' }, id);
    if (security?.scale == null) throw new Error('no such security');
    const to = { ...security, scale: security.scale };
    const action = actionOf();
    const make = () => issueShares(env, to, 'issuance', [{ account_id: accountId, shares: 5 }], { action });
    expect(await make()).toMatchObject({ ok: true });
    await setFacts(accountId, { frozen: true });
    expect(await ledgerOf(env).projected()).toBe(true);
    expect(await make()).toMatchObject({ ok: true, value: { event: { state: 'recorded' } } });
    expect(await inLedger(accountId, id)).toBe(5);
  });

  test('is the business of the agent that has accepted, and of nobody else', async () => {
    const { id } = await listed();
    const body = { holder_reference: 'H', holder_name: 'Ada', shares: 5 };
    expect((await post(`/v1/captable/${id}/issuances`, body, lister)).status).toBe(403);
    const proposed = { transferAgent: agent.organization, agentState: 'proposed' } as const;
    const other = await createSecurity(db, lister, { state: 'listed', ...proposed });
    const refused = { status: 409, body: { error: { details: { reason: 'not_accepted' } } } };
    expect(await issue(other, body)).toMatchObject(refused);
    expect(await agent.client.get(`/v1/captable/${other}`)).toMatchObject(refused);
    const stranger = await createPartner(db, 'transfer_agent');
    expect((await post(`/v1/captable/${other}/issuances`, body, stranger)).status).toBe(404);
  });

  test('takes null for what a row does not say, as answers have it', async () => {
    const { id } = await listed();
    const nothing = { holder_kind: null, country: null, account_id: null, cost: null, certificate_number: null };
    const row = { holder_reference: 'H', holder_name: 'Ada', shares: 5, ...nothing, acquired_at: null, legend: null };
    expect(await issue(id, row)).toMatchObject({ status: 200 });
    expect(await holdersOf(id)).toMatchObject([{ name: 'Ada', country: null }]);
  });
});

describe('POST /v1/captable/{security_id}/cancellations', () => {
  withAgent();

  test('takes shares from a holder, and never more than they are registered with or have in the ledger', async () => {
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db);
    await issue(id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    const [{ holder_id } = { holder_id: '' }] = await holdersOf(id);
    const cancel = (shares: number) => post(`/v1/captable/${id}/cancellations`, { holder_id, shares });
    expect(await cancel(11)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_registered', required: 11, registered: 10 } } },
    });
    // What was issued by mistake goes at once, while the account has no others.
    expect(await cancel(1)).toMatchObject({ status: 200, body: { event_type: 'cancellation', sequence: 2 } });
    await offer(symbol, seller, 4);
    expect(await cancel(6)).toMatchObject({ status: 409, body: { error: { details: { reason: 'not_available' } } } });
    expect(await cancel(5)).toMatchObject({ status: 200 });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 4, holders: 1 });
    await expectRight();
  });

  test.each(REGISTER_EVENT_TYPES)(
    'takes none at once where an event of another kind has changed what the account has within the day: %s',
    async (type) => {
      const { id } = await listed();
      const holder = await createKeyHolder(db);
      await issue(id, { account_id: holder.accountId, shares: 10, restriction_ends_at: null });
      const holder_id = await holderOf(holder.accountId, id);
      const isOwn = type === 'issuance' || type === 'import' || type === 'cancellation';
      const event = uuidv7();
      // By another agent, or of a kind that no agent asks for; it leaves the sum as it is.
      await env.DB.prepare(`INSERT INTO register_events (id, security, type, state, sequence, hash, agent, actor, created_at, recorded_at)
      VALUES (?1, ?2, ?3, 'recorded', 2, '', ?4, 'a', ?5, ?5)`)
        .bind(event, id, type, isOwn ? uuidv7() : agent.organization, Date.now())
        .run();
      for (const [line, shares] of [-3, 3].entries())
        await env.DB.prepare(
          'INSERT INTO register_changes (event, line, security, holder, shares) VALUES (?1, ?2, ?3, ?4, ?5)',
        )
          .bind(event, line, id, holder_id, shares)
          .run();
      expect(await post(`/v1/captable/${id}/cancellations`, { holder_id, shares: 1 })).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'needs_corporate_action' } } },
      });
    },
  );

  test('takes no shares of before at once, however a reverse split and issuances of the day come to the same number', async () => {
    const { id } = await listed();
    const victim = await createKeyHolder(db);
    await issue(id, { account_id: victim.accountId, shares: 900, restriction_ends_at: null });
    await env.DB.prepare('UPDATE register_events SET recorded_at = recorded_at - ?2 WHERE security = ?1')
      .bind(id, 2 * DAY_MS)
      .run();
    const holder_id = await holderOf(victim.accountId, id);
    const split = await agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
      security_id: id,
      action_type: 'stock_split',
      effective_date: new Date().toISOString(),
      ratio_from: 10,
      ratio_to: 1,
      description: 'One for ten',
    });
    expect(
      (await lister.client.post(`/v1/corporate-actions/${split.body.corporate_action_id}/consent`, undefined)).status,
    ).toBe(200);
    await issue(id, { account_id: victim.accountId, shares: 100, restriction_ends_at: null });
    await carryOnActions(env, Date.now());
    expect(await inLedger(victim.accountId, id)).toBe(100);
    expect(await post(`/v1/captable/${id}/cancellations`, { holder_id, shares: 100 })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'needs_corporate_action' } } },
    });
    await expectRight();
  });

  test('takes none of an account that has traded, has others, or was issued them before yesterday, until an action does', async () => {
    const needsAction = { status: 409, body: { error: { details: { reason: 'needs_corporate_action' } } } };
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db, { cash: 1_000_00 });
    const buyer = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    const [{ holder_id } = { holder_id: '' }] = await holdersOf(id);
    const cancel = (shares: number) => post(`/v1/captable/${id}/cancellations`, { holder_id, shares });
    const older = (ms: number) =>
      env.DB.prepare('UPDATE register_events SET recorded_at = recorded_at - ?2 WHERE security = ?1')
        .bind(id, ms)
        .run();
    await older(DAY_MS + MINUTE_MS);
    expect(await cancel(1)).toMatchObject(needsAction);
    // Not what came today either: the oldest shares would go.
    await issue(id, { account_id: seller.accountId, shares: 2, restriction_ends_at: null });
    expect(await cancel(2)).toMatchObject(needsAction);
    expect(await inLedger(seller.accountId, id)).toBe(12);

    const traded = await listed();
    await issue(traded.id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    const [{ holder_id: tradedBy } = { holder_id: '' }] = await holdersOf(traded.id);
    await trade(traded.symbol, seller, buyer, 4);
    await trade(traded.symbol, buyer, seller, 4);
    expect(await post(`/v1/captable/${traded.id}/cancellations`, { holder_id: tradedBy, shares: 1 })).toMatchObject(
      needsAction,
    );

    const asked = {
      security_id: id,
      action_type: 'share_cancellation',
      holder_id,
      effective_date: new Date().toISOString(),
      description: 'bought back',
    };
    expect((await post('/v1/corporate-actions', { ...asked, holder_id: uuidv7(), shares: 3 })).status).toBe(404);
    const made = await agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
      ...asked,
      shares: 3,
    });
    expect(made).toMatchObject({ status: 201, body: { holder_id, shares: 3, status: 'announced' } });
    const action = made.body.corporate_action_id;
    const readAction = async () => (await agent.client.get(`/v1/corporate-actions/${action}`)).body;
    await carryOnActions(env, Date.now());
    expect(await readAction()).toMatchObject({ status: 'announced', waiting_for: 'lister_consent' });
    expect((await lister.client.post(`/v1/corporate-actions/${action}/consent`, undefined)).status).toBe(200);
    const offered = await offer(symbol, seller, 10);
    expect(await ledgerOf(env).projected()).toBe(true);
    await carryOnActions(env, Date.now());
    expect(await readAction()).toMatchObject({ status: 'announced', waiting_for: 'shares_held' });
    expect((await seller.client.delete(`/v1/orders/${offered}`)).status).toBeLessThan(300);
    await settle(symbol);
    expect(await ledgerOf(env).projected()).toBe(true);
    await Promise.all([carryOnActions(env, Date.now()), carryOnActions(env, Date.now())]);
    await carryOnActions(env, Date.now());
    expect(await readAction()).toMatchObject({ status: 'completed', waiting_for: null });
    expect(await inLedger(seller.accountId, id)).toBe(9);
    await expectRight();
  });
});

describe('POST /v1/captable/{security_id}/import', () => {
  withAgent();

  const rows = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      holder_reference: `H-${n}`,
      holder_name: `Holder ${n}`,
      shares: n + 1,
      certificate_number: `CS-${n}`,
    }));

  test('imports all rows or none, of JSON and CSV, and checks them in a dry run', async () => {
    const { id } = await listed();
    const path = `/v1/captable/${id}/import`;
    const wrong = [...rows(3), { holder_reference: 'H-9', holder_name: '', shares: 0.5 }];
    expect(await post(path, { holders: wrong })).toMatchObject({
      status: 400,
      body: {
        error: {
          details: {
            error_count: 2,
            errors: [
              { row: 4, field: 'holder_name' },
              { row: 4, field: 'shares' },
            ],
          },
        },
      },
    });
    expect(await post(`${path}?dry_run=true`, { holders: rows(3) })).toMatchObject({
      status: 200,
      body: { dry_run: true, rows: 3, shares: 6, event: null },
    });
    expect(await post(`${path}?dryrun=true`, { holders: rows(3) })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ keys: ['dryrun'] }] } } },
    });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 0, sequence: 0 });
    expect(await post(path, { holders: rows(3) })).toMatchObject({ status: 200, body: { dry_run: false, shares: 6 } });
    const csv = 'holder_reference,holder_name,shares\r\nH-0,Holder 0,4\r\nZ-1,"Zeno, Ltd",10\r\n';
    const answer = await callWorker(`http://localhost/partner${path}`, {
      method: 'POST',
      headers: { ...agent.headers, 'content-type': 'Text/CSV' },
      body: csv,
    });
    expect(await answer.json()).toMatchObject({ rows: 2, shares: 14 });
    expect((await holdersOf(id)).map(({ name, shares }) => [name, shares]).sort()).toEqual([
      ['Holder 0', 5],
      ['Holder 1', 2],
      ['Holder 2', 3],
      ['Zeno, Ltd', 10],
    ]);
    await expectRight();
  });

  test('refuses fields that it does not know, by row and field, in a dry run as well', async () => {
    const { id } = await listed();
    const holders = [...rows(1), { ...rows(2)[1], restrictions_end_at: '2030-01-01' }];
    for (const query of ['', '?dry_run=true'])
      expect(await post(`/v1/captable/${id}/import${query}`, { holders })).toMatchObject({
        status: 400,
        body: { error: { details: { error_count: 1, errors: [{ row: 2, field: 'restrictions_end_at' }] } } },
      });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 0, sequence: 0 });
  });

  test('gives shares under a known reference to nobody of another name, kind or country', async () => {
    const { id } = await listed();
    const path = `/v1/captable/${id}/import`;
    const ada = { holder_reference: 'H-1', holder_name: 'Ada', holder_kind: 'individual', country: 'DE', shares: 5 };
    expect((await post(path, { holders: [ada] })).status).toBe(200);
    for (const [field, value] of [
      ['holder_name', 'Another Name'],
      ['holder_kind', 'entity'],
      ['country', 'US'],
    ] as const) {
      const other = { ...ada, [field]: value };
      for (const query of ['', '?dry_run=true'])
        expect(await post(path + query, { holders: [{ ...ada, holder_reference: 'H-2' }, other] })).toMatchObject({
          status: 400,
          body: { error: { details: { error_count: 1, errors: [{ row: 2, field }] } } },
        });
      expect(await post(`/v1/captable/${id}/issuances`, other)).toMatchObject({ status: 400 });
    }
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 5, holders: 1 });
    const again = { holder_reference: 'H-1', holder_name: 'Ada', shares: 7 };
    expect((await post(path, { holders: [again] })).status).toBe(200);
    expect(await holdersOf(id)).toMatchObject([{ name: 'Ada', shares: 12 }]);
    await expectRight();
  });

  test('a dry run refuses amounts that no register takes', async () => {
    const { id } = await listed();
    const holders = [{ holder_reference: 'H-1', holder_name: 'Ada', shares: 5_000_000_000_000_000 }];
    for (const query of ['', '?dry_run=true'])
      expect(await post(`/v1/captable/${id}/import${query}`, { holders })).toMatchObject({
        status: 400,
        body: { error: { details: { error_count: 1, errors: [{ row: 1, field: 'shares' }] } } },
      });
  });

  test('a dry run finds certificates that the register knows', async () => {
    const { id } = await listed();
    const path = `/v1/captable/${id}/import`;
    expect((await post(path, { holders: rows(2) })).status).toBe(200);
    const holders = [{ holder_reference: 'N-1', holder_name: 'Nina', shares: 1, certificate_number: 'CS-1' }];
    for (const query of ['', '?dry_run=true'])
      expect(await post(path + query, { holders })).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'certificate_exists', certificates: ['CS-1'] } } },
      });
  });

  test('of imports at the same moment one has a certificate, and the others are told', async () => {
    const { id } = await listed();
    const importOf = (n: number) => {
      const more = Array.from({ length: 3 }, (_, at) => ({ ...rows(3)[at], certificate_number: `CS-${n}-${at}` }));
      const shared = { holder_reference: `N-${n}`, holder_name: 'Nina', shares: 7, certificate_number: 'CS-1' };
      return post(`/v1/captable/${id}/import`, { holders: [...more, shared] });
    };
    // A first request by itself: two that load the routes at once would wait for each other.
    expect(await tableOf(id)).toMatchObject({ sequence: 0 });
    const answers = await Promise.all([1, 2, 3, 4].map(importOf));
    const [made, ...refused] = answers.sort((a, b) => a.status - b.status);
    expect(made).toMatchObject({ status: 200, body: { shares: 13 } });
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'certificate_exists', certificates: ['CS-1'] } } },
      });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 13, sequence: 1 });
    const { results } = await env.DB.prepare('SELECT line FROM register_changes WHERE security = ?1').bind(id).all();
    expect(results).toHaveLength(4);
    await expectRight();
  });

  test('of imports at the same moment that name one reference otherwise, one gives its shares', async () => {
    const { id } = await listed();
    expect(await tableOf(id)).toMatchObject({ sequence: 0 });
    const names = ['Ada', 'Bob', 'Cid', 'Dan'];
    const importOf = (holder_name: string) =>
      post(`/v1/captable/${id}/import`, { holders: [{ holder_reference: 'H-1', holder_name, shares: 5 }] });
    const answers = await Promise.all(names.map(importOf));
    const made = names.filter((_, at) => answers[at]?.status === 200);
    expect(made).toHaveLength(1);
    // The last of them may find the holder registered before it begins.
    for (const { status, body } of answers)
      if (status !== 200) expect(JSON.stringify(body)).toMatch(/"holder_differs"|is not what the register says/);
    expect(await holdersOf(id)).toMatchObject([{ reference: 'H-1', name: made[0], shares: 5 }]);
    await expectRight();
  });

  test('takes thousands of rows in parts', async () => {
    const { id } = await listed();
    const count = 25_000;
    const answer = await post(`/v1/captable/${id}/import`, { holders: rows(count) });
    expect(answer).toMatchObject({ status: 200, body: { rows: count, shares: (count * (count + 1)) / 2 } });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: (count * (count + 1)) / 2, holders: count });
    const page = await agent.client.get<{ holders: { holder_id: string }[] }>(`/v1/captable/${id}/holders?limit=2`);
    expect(page.body.holders).toHaveLength(2);
    expect(page.headers.get('link')).toContain(`cursor=${page.body.holders[1]?.holder_id}`);
    await expectRight();
  });
});

test('a cap table as of a moment is what the register said then', async () => {
  const { id } = await listed();
  await issue(id, { holder_reference: 'A', holder_name: 'Ada', shares: 5 });
  const { last_recorded_at } = await tableOf(id);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await issue(id, { holder_reference: 'B', holder_name: 'Bob', shares: 7 });
  expect(await tableOf(id, `?as_of=${last_recorded_at}`)).toMatchObject({
    shares_outstanding: 5,
    holders: 1,
    sequence: 1,
  });
  expect(await holdersOf(id, `?as_of=${last_recorded_at}`)).toMatchObject([{ name: 'Ada', shares: 5 }]);
  expect(await tableOf(id, '?as_of=2020-01-01')).toMatchObject({ shares_outstanding: 0, holders: 0, sequence: 0 });
  expect(await tableOf(id)).toMatchObject({ shares_outstanding: 12 });
  const today = new Date().toISOString().slice(0, 10);
  expect(await tableOf(id, `?as_of=${today}`)).toMatchObject({ shares_outstanding: 12 });
  for (const path of [`/v1/captable/${id}`, `/v1/captable/${id}/holders`])
    expect(await agent.client.get(`${path}?as_of=2999-01-01`)).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ message: 'lies ahead' }] } } },
    });
});

describe('transfers', () => {
  withAgent();

  test('a settled trade waits for the agent, is acknowledged, and completed on the cap table', async () => {
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db);
    const buyer = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    await trade(symbol, seller, buyer, 4);
    const [transfer] = await transfersOf(id);
    expect(transfer).toMatchObject({
      status: 'pending',
      buyer_account_id: buyer.accountId,
      seller_account_id: seller.accountId,
      units_to_transfer: 4,
    });
    const path = `/v1/transfers/${transfer?.transfer_instruction_id}`;
    expect((await agent.client.get(path)).body).toEqual(transfer);
    await expectRight();
    expect((await post(`${path}/complete`, { ...COMPLETION, new_certificate_number: 'CS-1' })).status).toBe(409);
    const accepted = {
      acknowledged: true,
      record_date: TODAY,
      units_to_transfer: 4,
      status: 'pending_transfer',
    };
    for (const [field, wrong] of [
      ['units_to_transfer', 5],
      ['transfer_instruction_id', uuidv7()],
    ] as const)
      expect(await post(`${path}/acknowledge`, { ...accepted, [field]: wrong })).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(field) } },
      });
    for (let n = 0; n < 2; n++)
      expect(await post(`${path}/acknowledge`, accepted)).toMatchObject({
        status: 200,
        body: { status: 'pending_transfer', acknowledged: true, record_date: TODAY },
      });
    expect((await post(`${path}/acknowledge`, { ...accepted, record_date: new Date().toISOString() })).status).toBe(
      409,
    );
    expect(await holdersOf(id)).toMatchObject([{ account_id: seller.accountId, shares: 10, pending_shares: -4 }]);
    for (let n = 0; n < 2; n++)
      expect(await post(`${path}/complete`, { ...COMPLETION, new_certificate_number: 'CS-1' })).toMatchObject({
        status: 200,
        body: { status: 'completed', new_certificate_number: 'CS-1', legend_applied: true },
      });
    expect((await post(`${path}/complete`, { ...COMPLETION, new_certificate_number: 'CS-2' })).status).toBe(409);
    expect((await holdersOf(id)).map((each) => [each.account_id, each.shares, each.pending_shares])).toEqual(
      expect.arrayContaining([
        [seller.accountId, 6, 0],
        [buyer.accountId, 4, 0],
      ]),
    );
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 10, holders: 2, sequence: 2 });
    expect(await transfersOf(id)).toEqual([]);
    expect(await transfersOf(id, '&status=completed')).toHaveLength(1);
    const told = await env.DB.prepare(
      `SELECT type, payload FROM domain_events WHERE subject = ?1 AND type LIKE 'transfer.%' ORDER BY type`,
    )
      .bind(id)
      .all<{ type: string; payload: string }>();
    const trade_id = transfer?.transfer_instruction_id;
    const facts = { transfer_instruction_id: trade_id, trade_id };
    expect(told.results.map(({ type, payload }) => [type, JSON.parse(payload)])).toEqual([
      [
        'transfer.completed',
        {
          ...facts,
          units: 4,
          status: 'completed',
          record_date: TODAY,
          new_certificate_number: 'CS-1',
          legend_applied: true,
          cap_table_updated_at: `${NOW}.000Z`,
        },
      ],
      ['transfer.initiated', facts],
    ]);
    await expectRight();
  });

  test('nothing was recorded in days to come, and what is accepted is recorded within a year', async () => {
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db);
    const buyer = await createKeyHolder(db, { cash: 1_000_00 });
    const [ahead, years] = [3, 400].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const refused = (field: string) => ({ status: 400, body: { error: { details: { field } } } });
    const issued = { account_id: seller.accountId, shares: 10, restriction_ends_at: null };
    const row = { holder_reference: 'H-1', holder_name: 'Ada', shares: 1 };
    const record_date = ahead?.slice(0, 10);
    expect(await issue(id, { ...issued, record_date })).toMatchObject(refused('record_date'));
    const imported = { holders: [row], record_date };
    expect(await post(`/v1/captable/${id}/import`, imported)).toMatchObject(refused('record_date'));
    expect((await issue(id, { ...issued, record_date: '2026-01-02' })).status).toBe(200);
    const [{ holder_id } = { holder_id: '' }] = await holdersOf(id);
    const cancelled = { holder_id, shares: 1, record_date };
    expect(await post(`/v1/captable/${id}/cancellations`, cancelled)).toMatchObject(refused('record_date'));
    await trade(symbol, seller, buyer, 4);
    const path = `/v1/transfers/${(await transfersOf(id))[0]?.transfer_instruction_id}`;
    const accepted = { acknowledged: true };
    expect(await post(`${path}/acknowledge`, { ...accepted, record_date: years })).toMatchObject(
      refused('record_date'),
    );
    expect((await post(`${path}/acknowledge`, { ...accepted, record_date: ahead })).status).toBe(200);
    const completed = { ...COMPLETION, new_certificate_number: 'CS-1' };
    for (const field of ['record_date', 'cap_table_updated_at']) {
      expect(await post(`${path}/complete`, { ...completed, [field]: ahead })).toMatchObject(refused(field));
      const together = [{ transfer_instruction_id: uuidv7(), ...completed, status: undefined, [field]: ahead }];
      expect(await post(`${path}/complete`, { ...completed, together })).toMatchObject(refused(field));
    }
    expect(await tableOf(id)).toMatchObject({ sequence: 1, shares_outstanding: 10, pending_transfer_units: 4 });
    expect((await post(`${path}/complete`, completed)).status).toBe(200);
  });

  test('are completed in the order in which shares came: nobody is registered with less than nothing', async () => {
    const { id, symbol } = await listed();
    const [first, second, third] = [
      await createKeyHolder(db),
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00 }),
    ];
    await issue(id, { account_id: first.accountId, shares: 10, restriction_ends_at: null });
    await trade(symbol, first, second, 10);
    await trade(symbol, second, third, 6);
    const paths = (await transfersOf(id)).map((each) => `/v1/transfers/${each.transfer_instruction_id}`);
    for (const path of paths) await post(`${path}/acknowledge`, { acknowledged: true, record_date: TODAY });
    const complete = (at: number) =>
      post(`${paths[at]}/complete`, { ...COMPLETION, new_certificate_number: `CS-${at}` });
    expect(await complete(1)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_registered', required: 6, registered: 0 } } },
    });
    expect((await complete(0)).status).toBe(200);
    expect((await complete(1)).status).toBe(200);
    await expectRight();
  });

  test('one that the agent rejects takes its trade back', async () => {
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db);
    const buyer = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    await trade(symbol, seller, buyer, 4);
    const [transfer] = await transfersOf(id);
    const path = `/v1/transfers/${transfer?.transfer_instruction_id}`;
    expect((await post(`${path}/acknowledge`, { acknowledged: false })).status).toBe(400);
    for (let n = 0; n < 2; n++)
      expect(await post(`${path}/acknowledge`, { acknowledged: false, notes: 'no legal opinion' })).toMatchObject({
        status: 200,
        body: { status: 'rejected', reason: 'no legal opinion' },
      });
    expect(await inLedger(seller.accountId, id)).toBe(10);
    expect(await inLedger(buyer.accountId, 'usd')).toBe(1_000_00);
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 10, holders: 1, pending_transfer_units: 0 });
    expect((await post(`${path}/acknowledge`, { acknowledged: true, record_date: TODAY })).status).toBe(409);
    await expectRight();
  });

  test('one whose shares are gone cannot be rejected: nothing changes', async () => {
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db);
    const [buyer, next] = [
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00 }),
    ];
    await issue(id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    await trade(symbol, seller, buyer, 4);
    await trade(symbol, buyer, next, 4);
    const [transfer] = await transfersOf(id);
    const path = `/v1/transfers/${transfer?.transfer_instruction_id}`;
    expect(await post(`${path}/acknowledge`, { acknowledged: false, notes: 'late' })).toMatchObject({
      status: 409,
      body: {
        error: { details: { reason: 'not_returnable', missing: [{ side: 'buyer', required: 4, available: 0 }] } },
      },
    });
    expect(await agent.client.get(path)).toMatchObject({ body: { status: 'pending', reason: null } });
    await expectRight();
  });
});

describe('two runs of one event', () => {
  withAgent();

  test('are answered the same by the ledger: what one was refused is not done for the other', async () => {
    const { id, symbol } = await listed();
    const { client, accountId } = await createKeyHolder(db);
    await issue(id, { account_id: accountId, shares: 10, restriction_ends_at: null });
    const [holder] = await holdersOf(id);
    const order = { symbol, side: 'sell', type: 'limit', size: 10, price: 10, time_in_force: 'GTC' };
    const placed = await client.post('/v1/orders', order);
    const event: StagedEvent = { ...issuanceOf(id), type: 'cancellation' };
    const named = { account: accountId, reference: `account:${accountId}`, kind: 'individual', country: null } as const;
    const lines = LINES.map((line) => ({
      ...line,
      holder: { ...named, id: String(holder?.holder_id), name: '' },
      shares: -10,
      acquiredAt: null,
    }));
    const answers: string[] = [];
    const ask = async (entry: RegisterEntry) => {
      const outcome = await ledgerOf(env).transact(entry);
      answers.push(outcome.type);
      return outcome;
    };
    // The other run asks once the order is gone, and records what it was answered after the first has ended.
    const transact = async (entry: RegisterEntry) => {
      const refused = await ask(entry);
      expect((await client.delete(`/v1/orders/${placed.body.order_id}`)).status).toBeLessThan(300);
      await settle(symbol);
      await ask(entry);
      return refused;
    };
    const first = { ...env, LEDGER: { getByName: () => ({ transact }) } } as unknown as typeof env;
    expect(await changeRegister(first, event, lines)).toEqual({ ok: false, error: { reason: 'not_available' } });
    if (answers[1] === 'done') await recordEvent(db, event, Date.now());
    expect(answers).toEqual(['insufficient_balance', 'insufficient_balance']);
    expect(await inLedger(accountId, id)).toBe(10);
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 10, sequence: 1 });
    await expectRight();
    expect(await changeRegister(env, { ...event, id: uuidv7() }, lines)).toMatchObject({ ok: true });
    expect(await inLedger(accountId, id)).toBe(0);
    await expectRight();
  });
});

describe('an agent that was released', () => {
  withAgent();

  const MINE = { id: '', symbol: '' };
  let paths: string[];
  let seller: KeyHolder;
  let buyer: KeyHolder;
  const ACCEPTED = { acknowledged: true, record_date: TODAY };
  const REJECTED = { acknowledged: false, notes: 'no legal opinion' };
  const agentIs = (of: Partner | null) =>
    db
      .update(securities)
      .set({ transferAgent: of?.organization ?? null, agentState: of === null ? null : 'accepted' })
      .where(eq(securities.id, MINE.id));
  const stateOf = async (path: string) =>
    (await env.DB.prepare('SELECT state FROM transfer_instructions WHERE id = ?1').bind(path.split('/').at(-1)).first())
      ?.state;

  /** Three trades of one share: one is acknowledged, the others are pending. */
  beforeAll(async () => {
    Object.assign(MINE, await listed());
    seller = await createKeyHolder(db);
    buyer = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(MINE.id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    for (let n = 0; n < 3; n++) await trade(MINE.symbol, seller, buyer, 1);
    paths = (await transfersOf(MINE.id)).map((each) => `/v1/transfers/${each.transfer_instruction_id}`);
    expect(paths).toHaveLength(3);
    expect((await post(`${paths[0]}/acknowledge`, ACCEPTED)).status).toBe(200);
  });

  test('sees, acknowledges, rejects and completes no transfer of the security any more', async () => {
    const [first = '', second = ''] = paths;
    const before = await findTransferInstruction(db, agent.organization, first.split('/').at(-1) ?? '');
    await agentIs(null);
    expect(await transfersOf(MINE.id)).toEqual([]);
    expect(await transfersOf(MINE.id, '&status=pending_transfer')).toEqual([]);
    for (const path of paths) expect((await agent.client.get(path)).status, path).toBe(404);
    expect((await post(`${second}/acknowledge`, ACCEPTED)).status).toBe(404);
    expect((await post(`${second}/acknowledge`, REJECTED)).status).toBe(404);
    const certified = { ...COMPLETION, new_certificate_number: 'REL-1' };
    expect((await post(`${first}/complete`, certified)).status).toBe(404);
    // Nor what was read while it was the agent, and is written after.
    if (before === null) throw new Error('no such transfer');
    const rejecting = { state: 'rejecting', reason: 'late' } as const;
    expect(await moveTransfer(db, before.id, 'acknowledged', rejecting, agent.organization)).toBe(false);
    const terms = { recordDate: TODAY, certificate: 'REL-1', legendApplied: false, actor: 'a', unitsOnWire: 1 };
    const ids = { newHolder: uuidv7(), event: uuidv7() };
    const completion = { ...terms, ...ids, capTableUpdatedAt: '2026-11-20T15:00:00Z', now: Date.now() };
    await recordTransfer(db, before, completion, 0);
    expect(await stateOf(first)).toBe('acknowledged');
    expect(await stateOf(second)).toBe('pending');
    expect(await inLedger(buyer.accountId, MINE.id)).toBe(3);
    await expectRight();
  });

  test('leaves what it has written to its lister to read, and reads it no more', async () => {
    const never = await listed();
    await agentIs(null);
    await db.update(securities).set({ transferAgent: null, agentState: null }).where(eq(securities.id, never.id));
    for (const path of ['', '/holders', '/history']) {
      expect(await lister.client.get(`/v1/captable/${MINE.id}${path}`), path).toMatchObject({ status: 200 });
      expect((await agent.client.get(`/v1/captable/${MINE.id}${path}`)).status, path).toBe(404);
    }
    expect((await lister.client.get(`/v1/captable/${never.id}`)).status).toBe(409);
    const another = await createPartner(db, 'cross_lister');
    expect((await another.client.get(`/v1/captable/${MINE.id}`)).status).toBe(404);
  });

  test('leaves its open transfers to the next agent, once that has accepted', async () => {
    const [first = '', second = '', third = ''] = paths;
    const next = await createPartner(db, 'transfer_agent');
    await agentIs(null);
    await db
      .update(securities)
      .set({ transferAgent: next.organization, agentState: 'proposed' })
      .where(eq(securities.id, MINE.id));
    await carryOnTransfers(env);
    expect((await next.client.get(first)).status).toBe(404);
    await agentIs(next);
    const { body } = await next.client.get<{ transfers: { status: string }[] }>(`/v1/transfers?security_id=${MINE.id}`);
    expect(body.transfers.map(({ status }) => status)).toEqual(['pending_transfer', 'pending', 'pending']);
    expect((await agent.client.get(first)).status).toBe(404);
    const certified = { ...COMPLETION, new_certificate_number: 'NXT-1' };
    expect((await post(`${first}/complete`, certified, next)).status).toBe(200);
    expect((await post(`${second}/acknowledge`, REJECTED, next)).status).toBe(200);
    expect((await post(`${third}/acknowledge`, ACCEPTED, next)).status).toBe(200);
    expect(await inLedger(buyer.accountId, MINE.id)).toBe(2);
    await expectRight();
  });
});

describe('a transfer is completed by what the ledger has', () => {
  withAgent();

  /** A trade of 4 of the seller's 10 shares that the agent has acknowledged. */
  async function acknowledged() {
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db);
    const buyer = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    await trade(symbol, seller, buyer, 4);
    const trade_id = (await transfersOf(id))[0]?.transfer_instruction_id ?? '';
    const path = `/v1/transfers/${trade_id}`;
    await post(`${path}/acknowledge`, { acknowledged: true, record_date: TODAY });
    const complete = () => post(`${path}/complete`, { ...COMPLETION, new_certificate_number: 'CS-1' });
    return { id, seller, buyer, tradeId: trade_id, path, complete };
  }

  const holdings = async (id: string) => (await holdersOf(id)).map((each) => [each.account_id, each.shares]);

  /** What `completeTransfer` asks of D1 once it has judged the transfer. */
  const record = async (id: string, shown: number) => {
    const found = await findTransferInstruction(db, agent.organization, id);
    if (found === null) throw new Error('no such transfer');
    const terms = { recordDate: TODAY, certificate: 'CS-1', legendApplied: false, actor: 'a', unitsOnWire: 4 };
    const ids = { newHolder: uuidv7(), event: uuidv7() };
    const completion = { ...terms, ...ids, capTableUpdatedAt: '2026-11-20T15:00:00Z', now: Date.now() };
    await recordTransfer(db, found, completion, shown);
    return (await findTransferInstruction(db, agent.organization, id))?.state;
  };

  test('not once its trade was taken back, whether the instruction says so yet or not', async () => {
    const { id, seller, tradeId, path, complete } = await acknowledged();
    const action = { id: uuidv7(), actor: 'operator', requestId: 'r' };
    const busted = await adjustTrade(env, { tradeId, price: null, reason: 'wrong', action, now: Date.now() });
    expect(busted.ok).toBe(true);
    expect(await record(tradeId, 0)).toBe('acknowledged');
    expect(await complete()).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'wrong_state', status: 'reversed' } } },
    });
    expect(await agent.client.get(path)).toMatchObject({ body: { status: 'reversed' } });
    expect(await holdings(id)).toEqual([[seller.accountId, 10]]);
    await expectRight();
  });

  test('not while D1 does not show its trade: later, whole', async () => {
    const { id, seller, buyer, tradeId, complete } = await acknowledged();
    const shown = (await shownUpTo(db)) ?? Number.NaN;
    const kept = await env.DB.prepare('SELECT * FROM trades WHERE id = ?1').bind(tradeId).first();
    const columns = Object.keys(kept ?? {});
    await env.DB.prepare('DELETE FROM trades WHERE id = ?1').bind(tradeId).run();
    expect(await complete()).toMatchObject({
      status: 503,
      body: { error: { details: { reason: 'outcome_unknown' } } },
    });
    await env.DB.prepare(
      `INSERT INTO trades (${columns.join(', ')}) VALUES (${columns.map((_, at) => `?${at + 1}`).join(', ')})`,
    )
      .bind(...Object.values(kept ?? {}))
      .run();
    expect(await record(tradeId, shown + 1)).toBe('acknowledged');
    await env.DB.prepare('UPDATE projections SET emptying = 1').run();
    expect(await record(tradeId, shown)).toBe('acknowledged');
    expect((await complete()).status).toBe(503);
    await env.DB.prepare('UPDATE projections SET emptying = 0').run();
    expect(await holdings(id)).toEqual([[seller.accountId, 10]]);
    expect((await complete()).status).toBe(200);
    expect(await holdings(id)).toEqual(
      expect.arrayContaining([
        [seller.accountId, 6],
        [buyer.accountId, 4],
      ]),
    );
    await expectRight();
  });
});

describe('transfers that wait for each other', () => {
  withAgent();

  /** Ann and Bob have sold the same four shares to each other, and Ann has sold them on, which the agent has recorded first. */
  async function circle() {
    const { id, symbol } = await listed();
    const people = await Promise.all([1, 2, 3].map(() => createKeyHolder(db, { cash: 1_000_00 })));
    const [ann, bob, cay] = people as [KeyHolder, KeyHolder, KeyHolder];
    await issue(id, { account_id: ann.accountId, shares: 4, restriction_ends_at: null });
    await trade(symbol, ann, bob, 4);
    await trade(symbol, bob, ann, 4);
    await trade(symbol, ann, cay, 4);
    const ids = (await transfersOf(id)).map(({ transfer_instruction_id }) => transfer_instruction_id);
    for (const each of ids) await post(`/v1/transfers/${each}/acknowledge`, { acknowledged: true, record_date: TODAY });
    const [there = '', back = '', sold = ''] = ids;
    expect((await completed(sold, 'T-1')).status).toBe(200);
    return { id, symbol, cay, there, back };
  }

  const { status: _, ...TERMS } = COMPLETION;
  const completed = (transfer: string, number: string, together: readonly (readonly [string, string])[] = []) =>
    post(`/v1/transfers/${transfer}/complete`, {
      ...COMPLETION,
      new_certificate_number: number,
      ...(together.length === 0
        ? {}
        : {
            together: together.map(([transfer_instruction_id, new_certificate_number]) => ({
              ...TERMS,
              transfer_instruction_id,
              new_certificate_number,
            })),
          }),
    });
  const statusOf = async (transfer: string) =>
    (await agent.client.get<{ status: string }>(`/v1/transfers/${transfer}`)).body.status;

  test('are completed together, all or none, once, and each is told', async () => {
    const { id, cay, there, back } = await circle();
    for (const [transfer, number] of [
      [there, 'T-2'],
      [back, 'T-3'],
    ] as const)
      expect(await completed(transfer, number)).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'not_registered', required: 4, registered: 0 } } },
      });
    for (const number of ['T-1', 'T-2'])
      expect(await completed(there, 'T-2', [[back, number]])).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'certificate_exists' } } },
      });
    expect([await statusOf(there), await statusOf(back)]).toEqual(['pending_transfer', 'pending_transfer']);
    for (let n = 0; n < 2; n++)
      expect(await completed(there, 'T-2', [[back, 'T-3']])).toMatchObject({
        status: 200,
        body: { transfer_instruction_id: there, status: 'completed', new_certificate_number: 'T-2' },
      });
    expect(await agent.client.get(`/v1/transfers/${back}`)).toMatchObject({
      body: { status: 'completed', new_certificate_number: 'T-3', record_date: COMPLETION.record_date },
    });
    expect((await holdersOf(id)).map((each) => [each.account_id, each.shares])).toEqual([[cay.accountId, 4]]);
    const { results } = await env.DB.prepare(
      `SELECT payload ->> 'trade_id' AS trade FROM domain_events WHERE type = 'transfer.completed' AND subject = ?1 ORDER BY rowid`,
    )
      .bind(id)
      .all<{ trade: string }>();
    expect(results.slice(-2).map((each) => each.trade)).toEqual([there, back]);
    expect((await agent.client.get(`/v1/captable/${id}/ocf`)).status).toBe(200);
    await expectRight();
  });

  test('are not where somebody would be registered with less than nothing, of two securities, twice, or another agent’s', async () => {
    const { id, symbol, cay, there, back } = await circle();
    const eve = await createKeyHolder(db, { cash: 1_000_00 });
    await trade(symbol, cay, eve, 4);
    const [, , next = ''] = (await transfersOf(id)).map((each) => each.transfer_instruction_id);
    expect(await completed(there, 'T-2', [[next, 'T-4']])).toMatchObject({ status: 409 });
    await post(`/v1/transfers/${next}/acknowledge`, { acknowledged: true, record_date: TODAY });
    expect(await completed(next, 'T-4', [[there, 'T-2']])).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_registered' } } },
    });
    expect(await completed(there, 'T-2', [[there, 'T-3']])).toMatchObject({ status: 400 });
    expect(await completed(there, 'T-2', [[uuidv7(), 'T-3']])).toMatchObject({ status: 404 });
    const other = await circle();
    expect(await completed(there, 'T-2', [[other.back, 'T-3']])).toMatchObject({ status: 400 });
    expect([await statusOf(there), await statusOf(back)]).toEqual(['pending_transfer', 'pending_transfer']);
    await expectRight();
  });
});

describe('a completed transfer whose trade an operator takes back', () => {
  withAgent();

  const [TERMS, ACCEPTED] = [COMPLETION, { acknowledged: true, record_date: TODAY }];
  let certificates = 0;

  const complete = (path: string) => {
    certificates += 1;
    return post(`${path}/complete`, { ...TERMS, new_certificate_number: `RV-${certificates}` });
  };

  async function pathsOf(id: string): Promise<string[]> {
    const paths = (await transfersOf(id)).map((each) => `/v1/transfers/${each.transfer_instruction_id}`);
    for (const path of paths) await post(`${path}/acknowledge`, ACCEPTED);
    return paths;
  }

  /** The operator takes the trade of a transfer back; the id of the bust. */
  async function bust(path = ''): Promise<string> {
    const action = { id: uuidv7(), actor: 'operator', requestId: 'r' };
    const tradeId = path.split('/').at(-1) ?? '';
    const made = await adjustTrade(env, { tradeId, price: null, reason: 'erroneous', action, now: Date.now() });
    expect(made).toMatchObject({ ok: true });
    return action.id;
  }

  const statusOf = async (path = '') => (await agent.client.get<{ status: string }>(path)).body.status;

  /** Registered and pending shares of these people. */
  async function registered(id: string, people: readonly KeyHolder[]): Promise<unknown[]> {
    const found = new Map((await holdersOf(id)).map((each) => [each.account_id, [each.shares, each.pending_shares]]));
    return people.map(({ accountId }) => found.get(accountId) ?? null);
  }

  const historyOf = async (id: string) =>
    (await agent.client.get<{ events: Record<string, unknown>[] }>(`/v1/captable/${id}/history`)).body.events;

  /** The buyer is registered with 4 shares of the seller's 10. */
  async function completed() {
    const { id, symbol } = await listed();
    const seller = await createKeyHolder(db);
    const buyer = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
    await trade(symbol, seller, buyer, 4);
    const [path = ''] = await pathsOf(id);
    expect((await complete(path)).status).toBe(200);
    return { id, symbol, seller, buyer, path };
  }

  test('is reversed by the job, once: buyer back to seller, under the id of the bust', async () => {
    const { id, seller, buyer, path } = await completed();
    const event = await bust(path);
    expect(await registered(id, [seller, buyer])).toEqual([
      [6, 4],
      [4, -4],
    ]);
    expect(await tableOf(id)).toMatchObject({ pending_transfer_units: 4, sequence: 2 });
    await expectRight();
    await Promise.all([carryOnTransfers(env), carryOnTransfers(env)]);
    await carryOnTransfers(env);
    expect(await registered(id, [seller, buyer])).toEqual([[10, 0], null]);
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 10, holders: 1, pending_transfer_units: 0 });
    expect(await historyOf(id)).toMatchObject([
      { sequence: 1, event_type: 'issuance' },
      { sequence: 2, event_type: 'transfer' },
      {
        sequence: 3,
        event_id: event,
        event_type: 'reversal',
        notes: 'erroneous',
        outstanding_change: 0,
        lines: [
          { shares: -4, certificate_number: null },
          { shares: 4, certificate_number: null },
        ],
      },
    ]);
    expect(await findRegisterEvent(db, event)).toMatchObject({ actor: 'operator' });
    expect(await statusOf(path)).toBe('reversed');
    expect(await complete(path)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'wrong_state', status: 'reversed' } } },
    });
    await expectRight();
  });

  test('one whose price an operator corrects stays completed', async () => {
    const { id, seller, buyer, path } = await completed();
    const action = { id: uuidv7(), actor: 'operator', requestId: 'r' };
    const tradeId = path.split('/').at(-1) ?? '';
    const made = await adjustTrade(env, { tradeId, price: 9, reason: 'erroneous', action, now: Date.now() });
    expect(made).toMatchObject({ ok: true });
    await carryOnTransfers(env);
    expect(await statusOf(path)).toBe('completed');
    expect(await registered(id, [seller, buyer])).toEqual([
      [6, 0],
      [4, 0],
    ]);
    await expectRight();
  });

  test('waits while another event of the security is under way', async () => {
    const { id, seller, buyer, path } = await completed();
    await bust(path);
    const event = issuanceOf(id);
    const lines = LINES.map((line) => ({ ...line, holder: { ...line.holder, id: uuidv7() } }));
    await stageEvent(db, event, lines);
    expect(await announceEvent(db, event)).toBe(true);
    await carryOnTransfers(env);
    expect(await statusOf(path)).toBe('completed');
    await changeRegister(env, event, lines);
    await carryOnTransfers(env);
    expect(await statusOf(path)).toBe('reversed');
    expect(await registered(id, [seller, buyer])).toEqual([[10, 0], null]);
    await expectRight();
  });

  test('waits, pending, until its buyer is registered with the shares, and goes before transfers that would take them', async () => {
    const { id, symbol } = await listed();
    const [seller, other] = [await createKeyHolder(db), await createKeyHolder(db)];
    const [buyer, next] = [
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00 }),
    ];
    for (const { accountId } of [seller, other])
      await issue(id, { account_id: accountId, shares: 10, restriction_ends_at: null });
    // The buyer sells what came first, and is registered with what came second.
    await trade(symbol, other, buyer, 6);
    await trade(symbol, seller, buyer, 4);
    await trade(symbol, buyer, next, 4);
    await trade(symbol, buyer, next, 2);
    const [first = '', second = '', sold = '', rest = ''] = await pathsOf(id);
    for (const path of [second, sold]) expect((await complete(path)).status).toBe(200);
    await bust(second);
    for (let runs = 0; runs < 2; runs++) await carryOnTransfers(env);
    expect(await statusOf(second)).toBe('completed');
    expect(await registered(id, [seller, other, next])).toEqual([
      [6, 4],
      [10, -6],
      [4, 2],
    ]);
    await expectRight();
    expect((await complete(first)).status).toBe(200);
    expect(await statusOf(second)).toBe('completed');
    expect((await complete(rest)).status).toBe(200);
    expect(await statusOf(second)).toBe('reversed');
    expect(await registered(id, [seller, other, buyer, next])).toEqual([[10, 0], [4, 0], null, [6, 0]]);
    await expectRight();
  });

  test('two reversals that wait for each other are recorded at once', async () => {
    const { id, symbol } = await listed();
    const [ann, bob, cay, dan] = [
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00 }),
    ] as const;
    await issue(id, { account_id: ann.accountId, shares: 4, restriction_ends_at: null });
    await issue(id, { account_id: cay.accountId, shares: 8, restriction_ends_at: null });
    // Ann and Bob each sell on what came first, which the agent has not recorded, and keep what came second.
    await trade(symbol, cay, bob, 4);
    await trade(symbol, ann, bob, 4);
    await trade(symbol, cay, ann, 4);
    await trade(symbol, bob, ann, 4);
    await trade(symbol, ann, dan, 4);
    const [, there = '', , back = '', sold = ''] = await pathsOf(id);
    for (const path of [there, back, sold]) expect((await complete(path)).status).toBe(200);
    const busts = [await bust(there), await bust(back)];
    const shares = async () =>
      new Map((await holdersOf(id)).flatMap((each) => (each.shares === 0 ? [] : [[each.account_id, each.shares]])));
    const before = await shares();
    await Promise.all([carryOnTransfers(env), carryOnTransfers(env)]);
    await carryOnTransfers(env);
    expect([await statusOf(there), await statusOf(back)]).toEqual(['reversed', 'reversed']);
    expect(await shares()).toEqual(before);
    expect((await historyOf(id)).slice(-2)).toMatchObject(
      busts.map((event_id) => ({ event_id, event_type: 'reversal', notes: 'erroneous', outstanding_change: 0 })),
    );
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 12, pending_transfer_units: 8 });
    expect((await agent.client.get(`/v1/captable/${id}/ocf`)).status).toBe(200);
    await expectRight();
  });

  test('is reversed without an agent, too, and gives a seller back what they have sold since', async () => {
    const { id, symbol, seller, buyer, path } = await completed();
    const next = await createKeyHolder(db, { cash: 1_000_00 });
    await bust(path);
    await trade(symbol, seller, next, 10);
    const [sold = ''] = await pathsOf(id);
    expect((await complete(sold)).status).toBe(200);
    expect(await registered(id, [seller, buyer, next])).toEqual([null, null, [10, 0]]);
    await expectRight();
    const other = await completed();
    await bust(other.path);
    await env.DB.prepare('UPDATE securities SET transfer_agent = NULL, agent_state = NULL WHERE id = ?1')
      .bind(other.id)
      .run();
    await carryOnTransfers(env);
    expect(await tableOf(other.id)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    const { body } = await lister.client.get(`/v1/captable/${other.id}`);
    expect(body).toMatchObject({ holders: 1, sequence: 3, pending_transfer_units: 0 });
    await expectRight();
  });
});

describe('what a crash has left', () => {
  withAgent();

  const left = (id: string, state: string) =>
    env.DB.batch([
      env.DB.prepare(
        `INSERT INTO register_holders (id, security, reference, kind, name, created_at) VALUES (?1, ?2, 'L', 'individual', 'Lou', 1)`,
      ).bind(`${id.slice(0, -1)}z`, id),
      env.DB.prepare(
        `INSERT INTO register_events (id, security, type, state, hash, actor, created_at) VALUES (?1, ?2, 'issuance', ?3, 'h', 'a', 1)`,
      ).bind(`${id.slice(0, -4)}eeee`, id, state),
      env.DB.prepare(
        `INSERT INTO register_changes (event, line, security, holder, shares, acquired_at) VALUES (?1, 0, ?2, ?3, 9, 1)`,
      ).bind(`${id.slice(0, -4)}eeee`, id, `${id.slice(0, -1)}z`),
    ]);

  test('an announced event is carried to its end by the job, and by the next event of its security', async () => {
    const [one, other] = [await listed(), await listed()];
    for (const { id } of [one, other]) await left(id, 'announced');
    expect(await tableOf(one.id)).toMatchObject({ shares_outstanding: 0 });
    await issue(one.id, { holder_reference: 'H', holder_name: 'Ada', shares: 5 });
    expect(await tableOf(one.id)).toMatchObject({ shares_outstanding: 14, sequence: 2 });
    await carryOnTransfers(env);
    expect(await tableOf(other.id)).toMatchObject({ shares_outstanding: 9, sequence: 1 });
    await carryOnRegisters(env, Date.now());
    expect(await tableOf(other.id)).toMatchObject({ shares_outstanding: 9, sequence: 1 });
    await expectRight();
  });

  test('an event that cannot be recorded keeps back no other security, no transfer and no settlement', async () => {
    const [stuck, third, { id, symbol }] = [await listed(), await listed(), await listed()];
    for (const security of [stuck, third]) await left(security.id, 'announced');
    const event = `${stuck.id.slice(0, -4)}eeee`;
    const [seller, buyer] = [await createKeyHolder(db), await createKeyHolder(db, { cash: 1_000_00 })];
    await issue(id, { account_id: seller.accountId, shares: 4, restriction_ends_at: null });
    await trade(symbol, seller, buyer, 4);
    // Its holder would have less than nothing, which nothing announces.
    await env.DB.prepare(
      `INSERT INTO register_holders (id, security, reference, kind, name, created_at) VALUES (?1, ?2, 'M', 'individual', 'Mia', 1)`,
    )
      .bind(`${stuck.id.slice(0, -1)}y`, stuck.id)
      .run();
    await env.DB.batch([
      env.DB.prepare('UPDATE register_events SET created_at = 0 WHERE id = ?1').bind(event),
      env.DB.prepare('UPDATE register_changes SET shares = 12 WHERE event = ?1').bind(event),
      env.DB.prepare(
        'INSERT INTO register_changes (event, line, security, holder, shares) VALUES (?1, 1, ?2, ?3, -3)',
      ).bind(event, stuck.id, `${stuck.id.slice(0, -1)}y`),
    ]);
    await expect(carryOnTransfers(env)).rejects.toThrow('transfers and registers failed');
    expect(await tableOf(third.id)).toMatchObject({ shares_outstanding: 9, sequence: 1 });
    const made = 'SELECT count(*) AS n FROM partner_settlements WHERE security = ?1';
    expect(await env.DB.prepare(made).bind(id).first('n')).toBe(1);
    await env.DB.prepare('UPDATE register_changes SET shares = 9 WHERE event = ?1 AND line = 0').bind(event).run();
    await env.DB.prepare('DELETE FROM register_changes WHERE event = ?1 AND line = 1').bind(event).run();
    await carryOnTransfers(env);
    expect(await tableOf(stuck.id)).toMatchObject({ shares_outstanding: 9, sequence: 1 });
    await expectRight();
  });

  test('an event that was never announced comes to nothing', async () => {
    const { id } = await listed();
    await left(id, 'staged');
    await carryOnRegisters(env, Date.now());
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 0, sequence: 0 });
    expect(await inLedger('boundary:issuance', id)).toBe(0);
  });

  test('an import whose rows take minutes to write is not given up', async () => {
    const { id } = await listed();
    const now = Date.now();
    const event = { ...issuanceOf(id), createdAt: now - 10 * 60_000 };
    const holder = {
      id: uuidv7(),
      account: null,
      reference: 'S',
      kind: 'individual',
      name: 'Sal',
      country: null,
    } as const;
    await stageEvent(
      db,
      event,
      LINES.map((line) => ({ ...line, holder })),
    );
    await carryOnRegisters(env, now);
    expect(await findRegisterEvent(db, event.id)).toMatchObject({ state: 'staged' });
    await carryOnRegisters(env, now + 10 * 60_000);
    expect(await findRegisterEvent(db, event.id)).toMatchObject({ state: 'refused', refusal: NOT_ANNOUNCED });
  });

  test('an event that was read as staged and is announced meanwhile is not given up: the ledger may have done it', async () => {
    const { id } = await listed();
    await left(id, 'staged');
    const event = { id: `${id.slice(0, -4)}eeee`, security: id };
    expect(await announceEvent(db, event)).toBe(true);
    expect(await refuseEvent(db, { id: event.id, state: 'staged' }, NOT_ANNOUNCED)).toBe(false);
    await carryOnRegisters(env, Date.now());
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 9, sequence: 1 });
    await expectRight();
  });

  test('what was given up as it was staged is done by the same request, once', async () => {
    const { id } = await listed();
    const event = { ...issuanceOf(id), createdAt: 1 };
    await stageEvent(db, event, LINES);
    await carryOnRegisters(env, Date.now());
    expect(await findRegisterEvent(db, event.id)).toMatchObject({ state: 'refused', refusal: NOT_ANNOUNCED });
    for (let n = 0; n < 2; n++)
      expect(await changeRegister(env, { ...event, createdAt: Date.now() }, LINES)).toMatchObject({
        ok: true,
        value: { state: 'recorded', sequence: 1, refusal: null },
      });
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 7, sequence: 1 });
    await expectRight();
  });
});
