import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { accreditationRecords } from '../../../../../data/schema/accounts.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { callWorker } from '../../../fixtures/call-worker.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Answer, type Client, signedIn, tokensOf } from '../../../fixtures/exchange-client.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

const later = Date.now() + 40 * 86_400_000;

interface Entry {
  readonly section: string;
  readonly id: string;
  readonly timestamp: string;
  readonly accountId: string;
  readonly rules: readonly string[];
  readonly sources: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

let db: Database;
let examiner: Client;
let examinerTrader: Trader;
let seller: TradingClient;
let buyer: TradingClient;

const report = async (query: string, as: Client = examiner): Promise<readonly Entry[]> => {
  const { status, body } = await as.get<{ data: Entry[] }>(`/v1/operator/reports/compliance?${query}`);
  expect(status).toBe(200);
  return body.data;
};

const section = (entries: readonly Entry[], name: string) => entries.filter((entry) => entry.section === name);

async function accredited(
  terms: { readonly owner?: string; readonly annualIncome?: number } = {},
): Promise<TradingClient> {
  const client = await tradingClient(db, { cash: 1_000_00, ...terms });
  const { body } = await client.get<{ data: { attestation: { version: string } } }>('/v1/account/accreditation');
  const certified = { version: body.data.attestation.version, certified: true };
  expect(await client.post('/v1/account/accreditation/attestations', certified)).toMatchObject({ status: 200 });
  return client;
}

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'CROWD', { asset: { regulation: 'reg_cf' } });
  await createPair(db, 'CLUB', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  await createPair(db, 'PLAIN', {});
  examinerTrader = await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] });
  examiner = await signedIn(examinerTrader);
  const lots = [{ quantity: 20, restrictionEndsAt: later, offeringType: 'reg_cf' }];
  seller = await tradingClient(db, { owner: 'org-seller' }, { asset: 'crowd', lots });
  buyer = await accredited({ owner: 'org-buyer', annualIncome: 450_000_00 });
  await placed(seller, limitOrder('crowd', 'SELL', 10, 5));
  await placed(buyer, limitOrder('crowd', 'BUY', 10, 5));
  await buyer.post('/v1/orders', limitOrder('club', 'BUY', 1, 10));
});

describe('GET /v1/operator/reports/compliance', () => {
  test('of a user who has bought: accreditation, the lot within its hold, the trade, and the refusal with its rule', async () => {
    const entries = await report(`user=${buyer.userId}`);
    expect(entries.every(({ accountId }) => accountId === buyer.accountId)).toBe(true);
    expect(section(entries, 'accreditation')).toMatchObject([
      {
        sources: ['17 CFR 230.506(b)'],
        details: { kind: 'self_attestation', text: expect.stringContaining('accredited investor'), expiresAt: null },
      },
    ]);
    expect(section(entries, 'restricted_lot')).toMatchObject([
      {
        rules: ['reg_cf_hold'],
        sources: ['17 CFR 227.501(a)'],
        details: { quantity: 10, restrictionEndsAt: new Date(later).toISOString() },
      },
    ]);
    expect(section(entries, 'trade')).toMatchObject([{ details: { side: 'buy', quantity: 10, price: 5 } }]);
    expect(section(entries, 'refusal')).toMatchObject([
      {
        code: 'ACCREDITATION_REQUIRED',
        rules: ['third_party_verified_buyer'],
        count: 1,
        details: {
          saw: { account: { accreditationType: '506b', annualIncome: 450_000 }, asset: { accreditationType: '506c' } },
        },
      },
    ]);
  });

  test('of a user who has sold under an exemption: which one, to whom', async () => {
    const entries = await report(`user=${seller.userId}&section=exempt_sale`);
    expect(entries).toMatchObject([
      {
        section: 'exempt_sale',
        accountId: seller.accountId,
        rules: ['reg_cf_accredited_buyer'],
        sources: ['17 CFR 227.501(a)(2)'],
        details: {
          buyer: buyer.accountId,
          quantity: 10,
          buyerWas: ['self_attestation'],
          buyerIsUsPerson: true,
          areFamily: false,
        },
      },
    ]);
  });

  test('a sale of free shares and of a lot within its hold: as large as what came of that lot', async () => {
    const lots = [{ quantity: 30 }, { quantity: 20, restrictionEndsAt: later, offeringType: 'reg_cf' }];
    const mixed = await tradingClient(db, {}, { asset: 'crowd', lots });
    await placed(mixed, limitOrder('crowd', 'SELL', 40, 5));
    await placed(buyer, limitOrder('crowd', 'BUY', 40, 5));
    expect(await report(`user=${mixed.userId}&section=trade`)).toMatchObject([{ details: { quantity: 40 } }]);
    expect(await report(`user=${mixed.userId}&section=exempt_sale`)).toMatchObject([{ details: { quantity: 10 } }]);
  });

  test('a sale to family names that exemption', async () => {
    const lots = [{ quantity: 5, restrictionEndsAt: later, offeringType: 'reg_cf' }];
    const [sister, brother] = [
      await tradingClient(db, {}, { asset: 'crowd', lots }),
      await tradingClient(db, { cash: 1_000_00 }),
    ];
    const operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const stated = { relativeId: brother.userId, relationship: 'sibling', evidence: 'vault/2026/4711' };
    await operator.post(`/v1/operator/users/${sister.userId}/family`, stated);
    await placed(sister, limitOrder('crowd', 'SELL', 5, 7));
    await placed(brother, limitOrder('crowd', 'BUY', 5, 7));
    expect(await report(`user=${sister.userId}&section=exempt_sale`)).toMatchObject([
      { rules: ['reg_cf_family'], details: { areFamily: true } },
    ]);
  });

  test('a sale names what was on record at its time: nothing later, nothing that had ended or expired by then', async () => {
    const lots = [{ quantity: 5, restrictionEndsAt: later, offeringType: 'reg_cf' }];
    const holder = await tradingClient(db, {}, { asset: 'crowd', lots });
    const client = await accredited({ annualIncome: 450_000_00 });
    await placed(holder, limitOrder('crowd', 'SELL', 5, 9));
    await placed(client, limitOrder('crowd', 'BUY', 5, 9));
    const buyerWas = async () =>
      (await report(`user=${holder.userId}&section=exempt_sale`)).map(({ details }) => details.buyerWas);
    expect(await buyerWas()).toEqual([['self_attestation']]);
    const [sale] = await report(`user=${holder.userId}&section=exempt_sale`);
    const at = Date.parse(sale?.timestamp ?? '');
    const record = {
      account: client.accountId,
      kind: 'third_party',
      verifier: 'a firm',
      evidence: 'a vault',
      at: at - 1_000,
      actor: 'somebody',
    } as const;
    const stated = (terms: Partial<typeof accreditationRecords.$inferInsert>) =>
      db.insert(accreditationRecords).values({ ...record, id: crypto.randomUUID(), createdAt: at - 1_000, ...terms });
    await stated({ createdAt: at + 1 });
    await stated({ expiresAt: at });
    await stated({ endedAt: at, endedBy: 'somebody', endedReason: 'a test' });
    expect(await buyerWas()).toEqual([['self_attestation']]);
    // What ended after the sale stood at its time.
    await stated({ expiresAt: at + 1, endedAt: at + 1, endedBy: 'somebody', endedReason: 'a test' });
    expect((await buyerWas())[0]).toEqual(expect.arrayContaining(['self_attestation', 'third_party']));
  });

  test('of an asset: both sides of its trades, its sales under exemptions, its refusals', async () => {
    const sides = section(await report('asset=crowd'), 'trade').map(({ accountId }) => accountId);
    expect(sides).toEqual(expect.arrayContaining([buyer.accountId, seller.accountId]));
    expect(section(await report('asset=club'), 'refusal')).toMatchObject([{ accountId: buyer.accountId }]);
  });

  test('free securities are in no report of trades', async () => {
    const holder = await tradingClient(db, {}, { asset: 'plain', lots: [{ quantity: 5 }] });
    const other = await tradingClient(db, { cash: 1_000_00 });
    await placed(holder, limitOrder('plain', 'SELL', 5, 7));
    await placed(other, limitOrder('plain', 'BUY', 5, 7));
    expect(await report(`user=${holder.userId}`)).toEqual([]);
  });

  test('within a time, and page by page', async () => {
    const whole = await report(`user=${buyer.userId}`);
    const ids: string[] = [];
    let path: string | undefined = `/v1/operator/reports/compliance?user=${buyer.userId}&limit=1`;
    while (path !== undefined) {
      const { headers, body }: Answer<{ data: Entry[] }> = await examiner.get(path);
      expect(body.data).toHaveLength(1);
      ids.push(...body.data.map(({ id }) => id));
      path = /<[^>]+(\/v1\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(ids).toEqual(whole.map(({ id }) => id));
    expect(await report(`user=${buyer.userId}&from=2030-01-01`)).toEqual([]);
    expect(await report(`user=${buyer.userId}&to=2020-01-01`)).toEqual([]);
    expect(await report(`user=${buyer.userId}&from=2020-01-01&to=2100-01-01`)).toEqual(whole);
  });

  test('as CSV: the same entries', async () => {
    const url = `http://localhost/exchange/v1/operator/reports/compliance?user=${seller.userId}&section=exempt_sale&format=csv`;
    const answer = await callWorker(url, { headers: await tokensOf(examinerTrader) });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const [names, line, end] = (await answer.text()).split('\r\n');
    expect(names).toBe('section,timestamp,id,accountId,userId,owner,assetId,orderId,code,rules,sources,count,details');
    expect(line).toContain(',reg_cf_accredited_buyer,17 CFR 227.501(a)(2),');
    expect(end).toBe('');
  });

  test('an organization reads of its own people, and not who stands on the other side', async () => {
    const auditor = await signedIn(await createTrader(db, { owner: 'org-seller', roles: ['auditor'] }));
    const path = '/v1/operator/reports/compliance';
    expect(await auditor.get(`${path}?user=${buyer.userId}`)).toMatchObject({ status: 404 });
    const entries = await report('asset=crowd', auditor);
    expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set([seller.accountId]));
    expect(section(entries, 'exempt_sale')).toMatchObject([{ details: { buyer: null } }]);
    expect(JSON.stringify(entries)).not.toContain(buyer.accountId);
  });

  test('names one user or one asset, and is for those alone who hold the power', async () => {
    const path = '/v1/operator/reports/compliance';
    expect(await examiner.get(path)).toMatchObject({ status: 400 });
    expect(await examiner.get(`${path}?user=${buyer.userId}&asset=crowd`)).toMatchObject({ status: 400 });
    expect(await examiner.get(`${path}?user=nobody`)).toMatchObject({ status: 404 });
    expect(await examiner.get(`${path}?asset=nowhere`)).toMatchObject({ status: 404 });
    expect(await buyer.get(`${path}?user=${buyer.userId}`)).toMatchObject({ status: 403 });
  });

  test('each reading is in the audit trail', async () => {
    await report(`user=${seller.userId}&section=trade`);
    const { body } = await examiner.get<{ data: unknown[] }>(
      `/v1/operator/audit-trail?subject=${seller.accountId}&limit=1`,
    );
    expect(body.data).toMatchObject([
      {
        type: 'operator.compliance_report_read',
        actor: examinerTrader.userId,
        details: { user: seller.userId, sections: ['trade'] },
      },
    ]);
  });
});
