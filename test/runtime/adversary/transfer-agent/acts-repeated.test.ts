import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import { carryOnTransfers } from '../../../../application/partner/register/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import { changeSubject } from '../../../../data/onboarding/entities.ts';
import { addIdentity, submit } from '../../../../data/onboarding/identities.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let seller: KeyHolder;
let buyer: KeyHolder;
let security: string;
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  await createCurrency(db);
  seller = await createKeyHolder(db);
  buyer = await createKeyHolder(db, { cash: 100_000_00 });
  security = uuidv7();
  symbol = (await createPair(db, 'ACTS', { asset: { id: security } })).symbol;
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id: security, state: 'listed', market: symbol, symbol: 'ACTS', ...accepted });
  const shares = { account_id: seller.accountId, shares: 100, restriction_ends_at: null };
  expect((await agent.client.post(`/v1/captable/${security}/issuances`, shares)).status).toBe(200);
});

async function trade(): Promise<string> {
  const order = { symbol, type: 'limit', size: 4, price: 10, time_in_force: 'GTC' };
  expect((await seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBeLessThan(300);
  expect((await buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBeLessThan(300);
  await settle(symbol);
  await carryOnTransfers(env);
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

/** The account is an entity's, which was handed in. */
async function ofEntity({ accountId, userId }: Pick<KeyHolder, 'accountId' | 'userId'>): Promise<void> {
  const id = uuidv7();
  await addIdentity(db, { id, userId, account: accountId, owner: userId }, 1);
  expect(await changeSubject(db, { id, version: 1 }, 'entity', 2)).toEqual([]);
  const handedIn = { submission: uuidv7(), provider: null, needsPerson: true, parties: [] };
  expect(await submit(db, { id, version: 2 }, handedIn, 3)).toBe(true);
}

const act = (id: string, path: 'acknowledge' | 'complete', body: object) =>
  agent.client.post<Record<string, unknown>>(`/v1/transfers/${id}/${path}`, body);
const now = new Date().toISOString();
const TODAY = now.slice(0, 10);
const ACCEPTED = { acknowledged: true, record_date: TODAY, notes: 'Taken on' };
const completion = (id: string) => ({
  status: 'completed',
  // Another record date than that of the acknowledgment.
  record_date: now,
  new_certificate_number: `CS-${id}`,
  legend_applied: true,
  cap_table_updated_at: now,
});

describe('an act of a transfer', () => {
  test('R-17: is answered the same again once the transfer is completed; another one is refused, and any once its trade was taken back', async () => {
    const id = await trade();
    const OTHER = { ...ACCEPTED, notes: 'Otherwise' };
    expect(await act(id, 'acknowledge', ACCEPTED)).toMatchObject({ status: 200, body: { status: 'pending_transfer' } });
    expect(await act(id, 'acknowledge', ACCEPTED)).toMatchObject({ status: 200, body: { status: 'pending_transfer' } });
    await ofEntity(buyer);
    expect(await act(id, 'complete', completion(id))).toMatchObject({ status: 200, body: { status: 'completed' } });
    const kindOf = 'SELECT kind FROM register_holders WHERE security = ?1 AND account = ?2';
    expect(await env.DB.prepare(kindOf).bind(security, buyer.accountId).first()).toEqual({ kind: 'entity' });
    expect(await act(id, 'acknowledge', ACCEPTED)).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(await act(id, 'complete', completion(id))).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect((await act(id, 'acknowledge', OTHER)).status).toBe(409);
    expect((await act(id, 'acknowledge', { ...ACCEPTED, record_date: now })).status).toBe(409);
    expect((await act(id, 'complete', { ...completion(id), new_certificate_number: 'CS-0' })).status).toBe(409);
    expect((await act(id, 'complete', { ...completion(id), legend_applied: false })).status).toBe(409);
    const later = new Date(Date.parse(now) + 1_000).toISOString();
    expect((await act(id, 'complete', { ...completion(id), cap_table_updated_at: later })).status).toBe(409);
    expect((await act(id, 'acknowledge', { acknowledged: false, notes: 'No' })).status).toBe(409);
    const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
    const bust = { tradeId: id, price: null, reason: 'erroneous', action, now: Date.now() };
    expect(await adjustTrade(env, bust)).toMatchObject({ ok: true });
    expect(await ledgerOf(env).projected()).toBe(true);
    await carryOnTransfers(env);
    for (const again of [await act(id, 'acknowledge', ACCEPTED), await act(id, 'complete', completion(id))])
      expect(again).toMatchObject({ status: 409, body: { error: { details: { status: 'reversed' } } } });
  });

  test('R-17: a rejection is answered the same again, and an acceptance that it has overruled is not', async () => {
    const id = await trade();
    const no = { acknowledged: false, notes: 'Unknown' };
    expect((await act(id, 'acknowledge', ACCEPTED)).status).toBe(200);
    for (let times = 0; times < 2; times++)
      expect(await act(id, 'acknowledge', no)).toMatchObject({ status: 200, body: { status: 'rejected' } });
    expect((await act(id, 'acknowledge', ACCEPTED)).status).toBe(409);
  });

  test('an acknowledgment with the status completed and a certificate completes the transfer, or says what is missing', async () => {
    const id = await trade();
    const { record_date: _, ...fields } = completion(id);
    const both = { ...ACCEPTED, ...fields };
    for (const field of ['new_certificate_number', 'legend_applied', 'cap_table_updated_at'] as const)
      expect(await act(id, 'acknowledge', { ...both, [field]: undefined })).toMatchObject({
        status: 400,
        body: { error: { details: { field } } },
      });
    expect((await act(id, 'acknowledge', { ...both, status: 'pending_transfer' })).status).toBe(400);
    expect((await act(id, 'acknowledge', { ...both, acknowledged: false })).status).toBe(400);
    for (let times = 0; times < 2; times++)
      expect(await act(id, 'acknowledge', both)).toMatchObject({
        status: 200,
        body: { status: 'completed', new_certificate_number: `CS-${id}`, record_date: TODAY },
      });
  });

  test('R-17: an acknowledgment that cannot be completed acknowledges nothing, or says that it has', async () => {
    const id = await trade();
    const { record_date: _, ...fields } = completion(id);
    const both = { ...ACCEPTED, ...fields };
    const known = {
      account_id: seller.accountId,
      shares: 1,
      certificate_number: `CS-${id}`,
      restriction_ends_at: null,
    };
    expect((await agent.client.post(`/v1/captable/${security}/issuances`, known)).status).toBe(200);
    const refused = await act(id, 'acknowledge', both);
    expect(refused).toMatchObject({ status: 409, body: { error: { details: { reason: 'certificate_exists' } } } });
    expect(refused.body).not.toHaveProperty('error.details.acknowledged');
    const state = async () => (await agent.client.get<{ status: string }>(`/v1/transfers/${id}`)).body.status;
    expect(await state()).toBe('pending');
    // The seller is registered with less than they give.
    const registered = 'UPDATE register_holdings SET shares = ?2 WHERE security = ?1 AND shares >= ?3';
    const { shares } = (await env.DB.prepare(
      `SELECT r.shares FROM register_holdings r JOIN register_holders h ON h.id = r.holder WHERE r.security = ?1 AND h.account = ?2`,
    )
      .bind(security, seller.accountId)
      .first<{ shares: number }>()) ?? { shares: 0 };
    const another = { ...both, new_certificate_number: `CS-${id}-2` };
    await env.DB.prepare(registered).bind(security, 1, shares).run();
    const half = await act(id, 'acknowledge', another);
    await env.DB.prepare('UPDATE register_holdings SET shares = ?2 WHERE security = ?1 AND shares = 1')
      .bind(security, shares)
      .run();
    expect(half).toMatchObject({
      status: 409,
      body: {
        error: {
          details: {
            reason: 'not_registered',
            acknowledged: true,
            complete: 'POST /v1/transfers/{id}/complete, or the same request again',
          },
        },
      },
    });
    expect(await state()).toBe('pending_transfer');
    expect(await act(id, 'acknowledge', another)).toMatchObject({ status: 200, body: { status: 'completed' } });
  });

  test('R-17: those that are completed together are completed once, also where one of them was by itself', async () => {
    const [one, other] = [await trade(), await trade()];
    for (const id of [one, other]) expect((await act(id, 'acknowledge', ACCEPTED)).status).toBe(200);
    expect((await act(one, 'complete', completion(one))).status).toBe(200);
    const together = (id: string, terms: object = {}) => {
      const { status: _, ...fields } = completion(id);
      return { together: [{ transfer_instruction_id: id, ...fields, ...terms }] };
    };
    const otherwise = { ...completion(other), ...together(one, { legend_applied: false }) };
    expect((await act(other, 'complete', otherwise)).status).toBe(409);
    expect((await agent.client.get(`/v1/transfers/${other}`)).body).toMatchObject({ status: 'pending_transfer' });
    for (const [first, second] of [
      [other, one],
      [one, other],
    ] as const)
      expect(await act(first, 'complete', { ...completion(first), ...together(second) })).toMatchObject({
        status: 200,
        body: { transfer_instruction_id: first, status: 'completed' },
      });
    expect((await agent.client.get(`/v1/transfers/${other}`)).body).toMatchObject({ status: 'completed' });
  });

  test('R-18: has no record date before the day of the trade, whichever way it is stated', async () => {
    const id = await trade();
    for (const record_date of ['1999-01-01', '2020-01-01T00:00:00Z'])
      expect(await act(id, 'acknowledge', { ...ACCEPTED, record_date })).toMatchObject({
        status: 400,
        body: { error: { details: { field: 'record_date' } } },
      });
    expect((await act(id, 'acknowledge', ACCEPTED)).status).toBe(200);
    expect(await act(id, 'complete', { ...completion(id), record_date: '1999-01-01' })).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'record_date' } } },
    });
    expect(
      await act(id, 'complete', { ...completion(id), cap_table_updated_at: '1999-01-01T00:00:00Z' }),
    ).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'cap_table_updated_at' } } },
    });
    expect((await act(id, 'complete', completion(id))).status).toBe(200);
  });
});

test('R-16: the cap table of a lister’s own security without an agent is said to have none; another’s is not there', async () => {
  const own = uuidv7();
  const { symbol: market } = await createPair(db, 'NOAG', { asset: { id: own } });
  await createSecurity(db, lister, { id: own, state: 'listed', market, symbol: 'NOAG' });
  const submitted = await createSecurity(db, lister);
  const stranger = await createPartner(db, 'cross_lister');
  for (const path of ['', '/holders', '/history', '/ocf']) {
    const [listed, before, foreign] = await Promise.all([
      lister.client.get(`/v1/captable/${own}${path}`),
      lister.client.get(`/v1/captable/${submitted}${path}`),
      stranger.client.get(`/v1/captable/${own}${path}`),
    ]);
    expect(listed).toMatchObject({ status: 409, body: { error: { details: { reason: 'no_agent' } } } });
    expect(before).toMatchObject({ status: 409, body: { error: { details: { reason: 'not_listed' } } } });
    expect(foreign.status).toBe(404);
  }
  const report = await lister.client.get(`/v1/reports/shareholder-register?security_id=${own}`);
  expect(report).toMatchObject({ status: 409, body: { error: { details: { reason: 'no_agent' } } } });
});
