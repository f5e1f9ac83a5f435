import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { endRegisterEvent } from '../../../../application/partner/register/end-register-event.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { NOT_ANNOUNCED, refuseEvent, stageEvent } from '../../../../data/partner/register/register-events.ts';
import { Ledger } from '../../../../domain/ledger/ledger.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { venueOperator } from '../../fixtures/cross-list.ts';
import type { Client, ErrorBody } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let operator: Client;
let holder: KeyHolder;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  operator = await venueOperator(db);
  holder = await createKeyHolder(db);
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function listed(): Promise<string> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `NOEND${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `NOEND${pairs}`, ...accepted });
  return id;
}

const issue = (security: string, key: string) =>
  agent.client.post<ErrorBody>(
    `/v1/captable/${security}/issuances`,
    { account_id: holder.accountId, shares: 7, restriction_ends_at: null },
    { 'idempotency-key': key },
  );

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly refusal: string | null;
}
const open = async (security: string) =>
  (await operator.get<{ data: Shown[] }>(`/v1/operator/register-events?security=${security}`)).body.data;
const end = (id: string, headers = {}) =>
  operator.post<ErrorBody & { data: Shown }>(
    `/v1/operator/register-events/${id}/end`,
    { reason: 'no answer' },
    headers,
  );

async function shares(security: string): Promise<number> {
  const balances = await ledgerOf(env).balances(holder.accountId);
  return balances.find(({ asset }) => asset === security)?.available ?? 0;
}

/** The ledger gives up at an entry of this register for the holder, each time, and remembers nothing of it. */
function withoutAnAnswer(security: string): void {
  const { apply } = Ledger.prototype;
  vi.spyOn(Ledger.prototype, 'apply').mockImplementation(function (this: Ledger, transaction, context) {
    const isOfRegister = transaction.kind === 'register_entry' && transaction.asset === security;
    if (isOfRegister && transaction.legs.some(({ account }) => account === holder.accountId))
      throw new RangeError('Array buffer allocation failed');
    return apply.call(this, transaction, context) as never;
  });
}

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

describe('M-02: an event of a register whose answer never comes', () => {
  it('is ended by an operator, with reason and trail, and nothing of it happens afterwards', async () => {
    const security = await listed();
    const key = uuidv7();
    withoutAnAnswer(security);
    expect((await issue(security, key)).status).toBe(503);
    const [event] = await open(security);
    expect(event).toMatchObject({ state: 'announced', refusal: null });
    const id = event?.id ?? '';
    const ended = await end(id);
    expect([ended.status, ended.body.data]).toMatchObject([200, { state: 'refused', refusal: 'ended_by_operator' }]);
    expect(await open(security)).toEqual([]);
    vi.restoreAllMocks();

    // The same request is told so, and a run of it that comes late moves nothing: the ledger has answered its id.
    const again = await issue(security, key);
    expect([again.status, again.body.error.details.reason]).toEqual([409, 'ended_by_operator']);
    expect(await shares(security)).toBe(0);
    const late = await ledgerOf(env).transact({
      kind: 'register_entry',
      id,
      asset: security,
      legs: [
        { account: 'boundary:register', change: 7, lots: [] },
        { account: 'boundary:issuance', change: -7, lots: [] },
      ],
      createdAt: 1,
      event: null,
    });
    expect(late).toMatchObject({ type: 'id_conflict' });

    // The register takes its next event.
    expect((await issue(security, uuidv7())).status).toBe(200);
    expect(await shares(security)).toBe(7);
    expect(await operator.get(`/v1/operator/audit-trail?subject=${id}`)).toMatchObject({
      body: {
        data: [
          {
            type: 'operator.register_event_ended',
            before: { state: 'announced' },
            after: { state: 'refused', refusal: 'ended_by_operator' },
            details: { security, type: 'issuance', reason: 'no answer' },
          },
        ],
      },
    });
    await expectRight();
  });

  it('comes to its end where the ledger answers by then, and what has ended is ended by nobody', async () => {
    const security = await listed();
    withoutAnAnswer(security);
    expect((await issue(security, uuidv7())).status).toBe(503);
    vi.restoreAllMocks();
    const [event] = await open(security);
    for (let n = 0; n < 2; n++) {
      const ended = await end(event?.id ?? '');
      expect([ended.status, ended.body.error.details]).toMatchObject([
        409,
        { reason: 'wrong_state', state: 'recorded', refusal: null },
      ]);
    }
    expect(await shares(security)).toBe(7);
    expect((await end(uuidv7())).status).toBe(404);
    await expectRight();
  });

  it('is not ended once its shares have moved, whatever keeps the register from recording them', async () => {
    const security = await listed();
    await env.DB.prepare(
      `CREATE TRIGGER unrecorded BEFORE UPDATE ON register_events WHEN NEW.state = 'recorded'
       BEGIN SELECT raise(ABORT, 'unrecorded'); END`,
    ).run();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await issue(security, uuidv7())).status).toBe(500);
    const [event] = await open(security);
    const refused = await end(event?.id ?? '');
    expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'shares_moved']);
    expect(await open(security)).toMatchObject([{ state: 'announced' }]);
    await env.DB.prepare('DROP TRIGGER unrecorded').run();
    const recorded = await end(event?.id ?? '');
    expect([recorded.status, recorded.body.error.details]).toMatchObject([409, { state: 'recorded' }]);
    expect(await shares(security)).toBe(7);
    await expectRight();
  });

  it('is told as refused, and not as moved, where the ledger has refused it while it was being ended', async () => {
    const security = await listed();
    const key = uuidv7();
    withoutAnAnswer(security);
    expect((await issue(security, key)).status).toBe(503);
    vi.restoreAllMocks();
    const [event] = await open(security);
    let isAnswered = false;
    const transact = async ({ legs }: { readonly legs: readonly { readonly account: string }[] }) => {
      if (legs.some(({ account }) => account.startsWith('nobody:'))) {
        isAnswered = true;
        return { type: 'id_conflict' };
      }
      if (!isAnswered) throw new Error('network connection lost');
      return { type: 'insufficient_balance', account: 'a', required: 7, available: 0 };
    };
    const ledger = { getByName: () => ({ transact }) } as unknown as Env['LEDGER'];
    const action = { id: uuidv7(), actor: 'operator', requestId: 'r', reason: 'no answer' };
    expect(await endRegisterEvent({ ...env, LEDGER: ledger }, event?.id ?? '', action)).toMatchObject({
      ok: false,
      error: { reason: 'wrong_state', event: { state: 'refused', refusal: 'insufficient_balance' } },
    });
    expect(await open(security)).toEqual([]);
    await expectRight();
  });

  it('that is still being written is ended for good: its request does not begin it again', async () => {
    const security = await listed();
    const event = { id: uuidv7(), security, type: 'import', hash: 'h', recordDate: null, notes: null } as const;
    const staged = { ...event, actor: 'a', createdAt: Date.now() };
    await stageEvent(db, staged, []);
    expect((await end(event.id)).body.data).toMatchObject({ state: 'refused', refusal: 'ended_by_operator' });
    await stageEvent(db, staged, []);
    expect(await refuseEvent(db, { id: event.id, state: 'staged' }, NOT_ANNOUNCED)).toBe(false);
    expect(await open(security)).toEqual([]);
  });

  it('is seen and ended by operators of the venue alone', async () => {
    const path = `/v1/operator/register-events/${uuidv7()}/end`;
    expect((await holder.client.get('/v1/operator/register-events')).status).toBeGreaterThanOrEqual(401);
    expect((await holder.client.post(path, { reason: 'x' })).status).toBeGreaterThanOrEqual(401);
  });
});
