import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { laterCode } from '../../../../domain/ledger/ledger-rules.fixtures.ts';
import { LEDGER_CODE } from '../../../../domain/ledger/ledger-rules.ts';
import { call } from '../../fixtures/call.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { type IntroducedInvestor, introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

const CODE = laterCode(LEDGER_CODE.rules.version, { reservationsPerAccountMax: 3, reservationsPerPartnerMax: 5 });
/** Ten orders a second are let through. */
const BETWEEN_ORDERS_MS = 200;

let db: Database;
let lister: Partner;
let security: { readonly securityId: string; readonly market: string };

beforeAll(async () => {
  planLedgerFaults({ code: CODE });
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  security = await listedSecurity(db, lister, 'MANY', { accreditationType: null });
});
beforeEach(() => planLedgerFaults({ code: CODE }));
afterAll(clearLedgerFaults);

/** A further account of an investor, with cash. */
async function anotherAccount({ investorId }: IntroducedInvestor): Promise<IntroducedInvestor> {
  const opened = await lister.client.post<{ account_id: string }>(`/v1/investors/${investorId}/accounts`, undefined);
  expect(opened.status).toBe(201);
  await giveBalance({ accountId: opened.body.account_id, asset: USD, amount: 1_000_00 });
  return { investorId, accountId: opened.body.account_id };
}

function place(partner: Partner, { investorId, accountId }: IntroducedInvestor) {
  skipTime(BETWEEN_ORDERS_MS);
  return partner.client.post('/v1/orders', {
    security_id: security.securityId,
    side: 'buy',
    order_type: 'limit',
    quantity: 1,
    price: 40,
    time_in_force: 'gtc',
    investor_id: investorId,
    account_id: accountId,
    broker_dealer: { firm_name: 'Juniper Securities LLC', crd_number: '123456' },
  });
}

test('an investor has no more open orders by several accounts and doors, and all investors of a partner end at a bound', async () => {
  const ada = await introducedInvestor(lister, { cash: 1_000_00 });
  const again = await anotherAccount(ada);
  for (let n = 0; n < 2; n++) expect((await place(lister, ada)).status).toBe(201);

  const path = `/v1/investors/${again.investorId}/accounts/${again.accountId}/keys`;
  const key = await lister.client.post<{ key_id: string; secret: string }>(path, {
    name: 'desk',
    security_ids: [security.securityId],
  });
  const placeByKey = () => {
    skipTime(BETWEEN_ORDERS_MS);
    return call('POST /book/v1/orders', {
      headers: {
        'x-api-key': key.body.key_id,
        'x-api-secret': key.body.secret,
        'idempotency-key': uuidv7(),
      },
      json: { symbol: security.market, side: 'buy', type: 'limit', price: 40, size: 1, time_in_force: 'GTC' },
    });
  };
  expect((await placeByKey()).status).toBe(200);
  const beyond = { limit: 'open_orders', of: 'investor', open_orders_max: 3 };
  expect(await place(lister, again)).toMatchObject({
    status: 403,
    body: { error: { code: 'RISK_LIMIT_EXCEEDED', message: expect.stringContaining('cancel some'), details: beyond } },
  });
  expect((await placeByKey()).status).toBe(403);

  const [grace, alan] = [
    await introducedInvestor(lister, { name: 'Grace Winters', cash: 1_000_00 }),
    await introducedInvestor(lister, { name: 'Alan Winters', cash: 1_000_00 }),
  ];
  for (const investor of [grace, alan]) expect((await place(lister, investor)).status).toBe(201);
  expect(await place(lister, alan)).toMatchObject({
    status: 403,
    body: {
      error: { code: 'RISK_LIMIT_EXCEEDED', details: { limit: 'open_orders', of: 'partner', open_orders_max: 5 } },
    },
  });

  const other = await createPartner(db, 'cross_lister');
  expect((await place(other, await introducedInvestor(other, { cash: 1_000_00 }))).status).toBe(201);
});
