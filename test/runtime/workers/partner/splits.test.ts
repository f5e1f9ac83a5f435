import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import { carryOnRegisters } from '../../../../application/partner/register/change-register.ts';
import { type SplitAsked, splitShares } from '../../../../application/partner/register/split-shares.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { announceEvent, findRegisterEvent } from '../../../../data/partner/register/register-events.ts';
import { listSplitFractions, stageSplit } from '../../../../data/partner/register/split-events.ts';
import { sha256 } from '../../../../domain/ledger/journal-chain.ts';
import type { Split } from '../../../../domain/ledger/transactions.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setRules } from '../../fixtures/operate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

/** Of a trade that is made now no earlier day is recorded. */
const NOW = new Date().toISOString();
const TODAY = NOW.slice(0, 10);

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
  readonly holders: readonly [KeyHolder, KeyHolder];
}

/** Two accounts of 10 and 7 shares, and three holders without one of 5 each. */
async function issued(): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `SPL${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `SPL${pairs}`, ...accepted });
  const holders = [
    await createKeyHolder(db, { cash: 1_000_00 }),
    await createKeyHolder(db, { cash: 1_000_00 }),
  ] as const;
  const issue = async (body: object) =>
    expect((await agent.client.post(`/v1/captable/${id}/issuances`, body)).status).toBe(200);
  await issue({ account_id: holders[0].accountId, shares: 10, restriction_ends_at: null, acquired_at: '2020-01-01' });
  await issue({ account_id: holders[1].accountId, shares: 7, restriction_ends_at: null });
  for (const name of ['A', 'B', 'C'])
    await issue({ holder_reference: name, holder_name: name, holder_kind: 'individual', country: 'US', shares: 5 });
  return { id, symbol, holders };
}

const askedOf = (security: string, terms: Partial<SplitAsked> = {}): SplitAsked => ({
  id: uuidv7(),
  security,
  from: 2,
  to: 3,
  fractions: 'round_up',
  actor: 'agent-user',
  now: Date.now(),
  ...terms,
});

/** As a run that was lost two minutes ago has left it. */
async function announced({ id, security, from, to, fractions }: SplitAsked) {
  const ratio = { from, to, fractions };
  const hash = sha256('split', security, `${from}:${to}`, fractions);
  const event = { id, security, type: 'split', hash, ratio, actor: 'a', createdAt: Date.now() - 120_000 } as const;
  await stageSplit(db, event);
  expect(await announceEvent(db, { id, security })).toBe(true);
  return ratio;
}

const halt = (symbol: string) => setRules(symbol, { status: 'halted' });

async function sharesOf(id: string): Promise<number[]> {
  const { body } = await agent.client.get<{ holders: { shares: number }[] }>(`/v1/captable/${id}/holders`);
  return body.holders.map(({ shares }) => shares).sort((one, other) => one - other);
}

const tableOf = async (id: string, query = '') =>
  (await agent.client.get<Record<string, unknown>>(`/v1/captable/${id}${query}`)).body;

const inLedger = async (account: string, asset: string) =>
  (await ledgerOf(env).balances(account)).find((each) => each.asset === asset)?.available;

const stepOf = (split: string, asset: string, step: Split['step']) =>
  ledgerOf(env).transact({ kind: 'split', id: uuidv7(), split, asset, step, createdAt: Date.now() });

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

/** The first sells to the second, at 10 dollars. */
async function trade({ symbol, holders: [seller, buyer] }: Listed, size: number): Promise<void> {
  const order = { symbol, type: 'limit', size, price: 10, time_in_force: 'GTC' };
  expect((await seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBeLessThan(300);
  expect((await buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBeLessThan(300);
  await settle(symbol);
}

/** The agent records the first open transfer; its id. */
async function record(id: string): Promise<string> {
  const { body } = await agent.client.get<{ transfers: { transfer_instruction_id: string }[] }>(
    `/v1/transfers?security_id=${id}`,
  );
  const transfer = String(body.transfers[0]?.transfer_instruction_id);
  const path = `/v1/transfers/${transfer}`;
  await agent.client.post(`${path}/acknowledge`, { acknowledged: true, record_date: TODAY });
  const done = { status: 'completed', record_date: TODAY, legend_applied: true };
  const completion = { ...done, cap_table_updated_at: NOW, new_certificate_number: 'CS-1' };
  expect((await agent.client.post(`${path}/complete`, completion)).status).toBe(200);
  return transfer;
}

describe('a split of a security', () => {
  test('multiplies what every holder has, in register and ledger, each rounded by itself, once', async () => {
    const { id, symbol, holders } = await issued();
    await halt(symbol);
    const asked = askedOf(id);
    for (let n = 0; n < 2; n++)
      expect(await splitShares(env, asked)).toMatchObject({ ok: true, value: { type: 'split', state: 'recorded' } });
    expect(await sharesOf(id)).toEqual([8, 8, 8, 11, 15]);
    expect(await tableOf(id)).toMatchObject({ shares_outstanding: 50, holders: 5 });
    expect(await inLedger(holders[0].accountId, id)).toBe(15);
    expect(await inLedger(holders[1].accountId, id)).toBe(11);
    const { body } = await agent.client.get<{ events: Record<string, unknown>[] }>(`/v1/captable/${id}/history`);
    expect(body.events.at(-1)).toMatchObject({ event_type: 'split', sequence: 6 });
    expect(await listSplitFractions(db, asked.id, { after: null, limit: 10 })).toEqual([]);
    await expectRight();
  });

  test('leaves fractions out that are paid in cash, and tells them by holder', async () => {
    const { id, symbol, holders } = await issued();
    await halt(symbol);
    const asked = askedOf(id, { from: 10, to: 1, fractions: 'cash_in_lieu' });
    expect((await splitShares(env, asked)).ok).toBe(true);
    expect(await sharesOf(id)).toEqual([1]);
    expect(await inLedger(holders[1].accountId, id)).toBe(0);
    const all = await listSplitFractions(db, asked.id, { after: null, limit: 10 });
    const told = all.map(({ account, units, numerator }) => [account, units, numerator]);
    expect(told.sort((one, other) => Number(one[1]) - Number(other[1]))).toEqual([
      [null, 5, 5],
      [null, 5, 5],
      [null, 5, 5],
      [holders[1].accountId, 7, 7],
    ]);
    const [first] = await listSplitFractions(db, asked.id, { after: null, limit: 1 });
    expect(await listSplitFractions(db, asked.id, { after: first?.holder ?? null, limit: 10 })).toEqual(all.slice(1));
    await expectRight();
  });

  test('waits for an open market, open orders and transfers that are not recorded, and changes nothing', async () => {
    const listed = await issued();
    const { id, symbol, holders } = listed;
    const asked = askedOf(id);
    const waits = async () => {
      const result = await splitShares(env, { ...asked, now: Date.now() });
      return result.ok ? [] : 'missing' in result.error ? result.error.missing : result.error.reason;
    };
    expect(await waits()).toEqual(['market_open']);
    await trade(listed, 4);
    const rest = { symbol, side: 'sell', type: 'limit', size: 1, price: 90, time_in_force: 'GTC' };
    const placed = await holders[0].client.post('/v1/orders', rest);
    await settle(symbol);
    await agent.client.get(`/v1/transfers?security_id=${id}`);
    await halt(symbol);
    expect(await waits()).toEqual(['shares_held', 'open_transfers', 'register_differs']);
    expect(await sharesOf(id)).toEqual([5, 5, 5, 7, 10]);
    expect((await holders[0].client.delete(`/v1/orders/${placed.body.order_id}`)).status).toBeLessThan(300);
    await settle(symbol);
    await record(id);
    expect(await waits()).toEqual([]);
    expect(await sharesOf(id)).toEqual([8, 8, 8, 9, 17]);
    await expectRight();
  });

  test('waits for an open order to buy, and leaves register and ledger free meanwhile', async () => {
    const { id, symbol, holders } = await issued();
    const buy = { symbol, side: 'buy', type: 'limit', size: 1, price: 9, time_in_force: 'GTC' };
    await holders[1].client.post('/v1/orders', buy);
    await settle(symbol);
    await halt(symbol);
    expect(await splitShares(env, askedOf(id))).toEqual({
      ok: false,
      error: { reason: 'not_ready', missing: ['shares_held'] },
    });
    // Both are free again.
    const more = { holder_reference: 'A', holder_name: 'A', holder_kind: 'individual', country: 'US', shares: 1 };
    expect((await agent.client.post(`/v1/captable/${id}/issuances`, more)).status).toBe(200);
    await expectRight();
  });

  test('keeps a trade from before it from being taken back', async () => {
    const listed = await issued();
    const { id, symbol } = listed;
    await trade(listed, 4);
    const traded = await record(id);
    await halt(symbol);
    expect((await splitShares(env, askedOf(id))).ok).toBe(true);
    const action = { id: uuidv7(), actor: 'operator', requestId: 'r' };
    expect(
      await adjustTrade(env, {
        tradeId: traded,
        price: null,
        reason: 'an error',
        action,
        now: Date.now(),
      }),
    ).toMatchObject({ ok: false, error: { reason: 'split_since' } });
    await expectRight();
  });

  test('leaves the market at the price that its last trade comes to: orders about it are taken as soon as it opens', async () => {
    const listed = await issued();
    const { id, symbol, holders } = listed;
    await setRules(symbol, { bandBps: 1_000, referencePrice: 1_000 });
    await trade(listed, 4);
    await record(id);
    await halt(symbol);
    expect((await splitShares(env, askedOf(id, { from: 1, to: 4 }))).ok).toBe(true);
    await setRules(symbol, { status: 'open' });
    const sell = { symbol, side: 'sell', type: 'limit', size: 1, time_in_force: 'GTC' };
    expect(await holders[0].client.post('/v1/orders', { ...sell, price: 10 })).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'outside_price_band', low: 2.25, high: 2.75 } } },
    });
    expect((await holders[0].client.post('/v1/orders', { ...sell, price: 2.6 })).status).toBeLessThan(300);
    await expectRight();
  });

  test('that a crash has left anywhere is carried to its end by the job, once', async () => {
    for (const reached of ['announced', 'begun', 'moved'] as const) {
      const { id, symbol, holders } = await issued();
      await halt(symbol);
      const asked = askedOf(id);
      const ratio = await announced(asked);
      const register = { from: 15, to: 24 };
      if (reached !== 'announced') await stepOf(asked.id, id, { type: 'begin', ...ratio, register, books: [symbol] });
      if (reached === 'moved')
        expect(await stepOf(asked.id, id, { type: 'part', part: 1 })).toMatchObject({ isOver: true });
      // Nothing else of the register is taken meanwhile; what asks for it carries the split on.
      if (reached === 'begun') {
        const more = { holder_reference: 'A', holder_name: 'A', holder_kind: 'individual', country: 'US', shares: 1 };
        expect((await agent.client.post(`/v1/captable/${id}/issuances`, more)).status).toBe(200);
        expect(await tableOf(id)).toMatchObject({ shares_outstanding: 51 });
      } else {
        await carryOnRegisters(env, Date.now());
        expect(await tableOf(id)).toMatchObject({ shares_outstanding: 50 });
      }
      expect(await findRegisterEvent(db, asked.id)).toMatchObject({ state: 'recorded' });
      expect(await inLedger(holders[0].accountId, id)).toBe(15);
      await expectRight();
    }
  });

  test('is given up by the job where it is not ready: register and ledger are free again, and the same call begins anew', async () => {
    const { id, symbol, holders } = await issued();
    const asked = askedOf(id);
    await announced(asked);
    await carryOnRegisters(env, Date.now());
    expect(await findRegisterEvent(db, asked.id)).toMatchObject({ state: 'refused', refusal: 'not_announced' });
    const sell = { symbol, side: 'sell', type: 'limit', size: 1, price: 90, time_in_force: 'GTC' };
    const placed = await holders[0].client.post('/v1/orders', sell);
    expect(placed.status).toBeLessThan(300);
    await holders[0].client.delete(`/v1/orders/${placed.body.order_id}`);
    await settle(symbol);
    await halt(symbol);
    expect((await splitShares(env, { ...asked, now: Date.now() })).ok).toBe(true);
    expect(await splitShares(env, { ...asked, to: 5 })).toEqual({ ok: false, error: { reason: 'id_conflict' } });
    await expectRight();
  });
});
