import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { SECOND_MS } from '../../../../domain/calendar/durations.ts';
import { AMOUNT_MAX } from '../../../../domain/ledger/balances.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

let pairs = 0;
/** With these holders, none of whom has an account. */
async function listed(holdings: readonly number[]): Promise<string> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `CAR${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `CAR${pairs}`, ...accepted });
  const holders = holdings.map((shares, at) => ({ holder_reference: `H-${at}`, holder_name: `H ${at}`, shares }));
  expect((await agent.client.post(`/v1/captable/${id}/import`, { holders })).status).toBe(200);
  return id;
}

interface Action {
  readonly corporate_action_id: string;
  readonly status: string;
  readonly waiting_for: string | null;
}

async function carriedOut(security: string, terms: object): Promise<string> {
  const announced = await agent.client.post<Action>('/v1/corporate-actions', {
    security_id: security,
    description: 'Of the year',
    ...terms,
  });
  expect(announced, JSON.stringify(announced.body)).toMatchObject({ status: 201 });
  const { corporate_action_id: action } = announced.body;
  await lister.client.post(`/v1/corporate-actions/${action}/consent`, undefined);
  await carryOnActions(env, Date.now() + SECOND_MS);
  await carryOnActions(env, Date.now() + SECOND_MS);
  return action;
}

const actionNow = async (id: string) => (await agent.client.get<Action>(`/v1/corporate-actions/${id}`)).body;

describe('R-05: cash of a corporate action', () => {
  test.each([
    ['EUR', 4, 0.0123, [100, 19, 1, 333], [1.23, 0.23, 0.01, 4.09], '4.09'],
    ['JPY', 2, 1.5, [3, 1, 1_000], [4, 1, 1_500], '4'],
    ['KWD', 4, 0.00137, [100, 7], [0.137, 0.009], '0.137'],
  ])(
    'of %s, which is counted in %i decimals, is paid in its own',
    async (code, scale, perShare, holdings, amounts, text) => {
      await createAsset(db, { id: uuidv7(), symbol: code, name: code, category: 'currency', scale, createdAt: 1 });
      const security = await listed(holdings);
      const at = new Date().toISOString();
      const dividend = {
        action_type: 'dividend',
        amount_per_share: perShare,
        currency: code,
        record_date: at,
        payment_date: at,
      };
      const action = await carriedOut(security, dividend);
      const { body } = await agent.client.get<{ payments: { shares: number; amount: number; status: string }[] }>(
        `/v1/corporate-actions/${action}/payments`,
      );
      const paid = new Map(body.payments.map(({ shares, amount }) => [shares, amount]));
      expect(holdings.map((shares) => paid.get(shares))).toEqual(amounts);
      const [day] = at.split('T');
      const path = `http://localhost/partner/v1/reports/dividend-history?from=${day}&to=${day}&security_id=${security}&format=csv`;
      const csv = await (await callWorker(path, { headers: agent.headers })).text();
      expect(csv.split('\r\n').map((line) => line.split(',').at(-4))).toContain(text);
    },
  );
});

describe('R-12: a split', () => {
  test.each([
    [1_500, 1, [3_000, 1_499, 1], [2, 1, 1]],
    [25_000, 1, [25_001], [2]],
    [1, 25_000, [3], [75_000]],
    [10_000_000, 10_461_724, [AMOUNT_MAX / 4, 7], [Math.ceil((AMOUNT_MAX / 4 / 10_000_000) * 10_461_724), 8]],
  ])('of %i for %i divides every holder by itself, rounded up', async (from, to, holdings, expected) => {
    const security = await listed(holdings);
    const effective = new Date().toISOString();
    const terms = { action_type: 'stock_split', effective_date: effective, ratio_from: from, ratio_to: to };
    const action = await carriedOut(security, terms);
    expect(await actionNow(action)).toMatchObject({ status: 'completed' });
    const { body } = await agent.client.get<{ holders: { name: string; shares: number }[] }>(
      `/v1/captable/${security}/holders`,
    );
    const exact = holdings.map((units) => Number((BigInt(units) * BigInt(to) + BigInt(from) - 1n) / BigInt(from)));
    const shares = new Map(body.holders.map((each) => [each.name, each.shares]));
    expect(holdings.map((_, at) => shares.get(`H ${at}`))).toEqual(exact);
    expect(exact.map((units, at) => Math.abs(units - (expected[at] as number)) <= 1)).not.toContain(false);
    expect(await ledgerOf(env).projected()).toBe(true);
    expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
  });

  test('that comes to more shares than an asset may have is refused, and says so', async () => {
    const security = await listed([AMOUNT_MAX / 2, AMOUNT_MAX / 4]);
    const effective = new Date().toISOString();
    const action = await carriedOut(security, {
      action_type: 'stock_split',
      effective_date: effective,
      ratio_from: 1,
      ratio_to: 1_000_000_000,
    });
    expect(await actionNow(action)).toMatchObject({ waiting_for: 'split_refused' });
    const { body } = await agent.client.get<{ shares_outstanding: number }>(`/v1/captable/${security}`);
    expect(body.shares_outstanding).toBe(AMOUNT_MAX / 2 + AMOUNT_MAX / 4);
  });
});
