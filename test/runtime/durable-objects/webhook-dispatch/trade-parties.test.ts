import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { identities } from '../../../../data/schema/onboarding.ts';
import { partiesOfTrades } from '../../../../data/webhooks/trade-parties.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { type IntroducedInvestor, introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { skipTime } from '../../fixtures/skip-time.ts';
import { createTestEndpoint, outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

let db: Database;
let lister: Partner;
let ofBuyer: Partner;
let ofSeller: Partner;
let stranger: Partner;
let buyer: IntroducedInvestor;
let seller: IntroducedInvestor;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister', { firmName: 'Northwind ATS' });
  ofBuyer = await createPartner(db, 'cross_lister', { firmName: 'Buyside Partners' });
  ofSeller = await createPartner(db, 'cross_lister', { firmName: 'Sellside Partners' });
  stranger = await createPartner(db, 'cross_lister');
  buyer = await introducedInvestor(ofBuyer, { cash: 1_000_000_00 });
  seller = await introducedInvestor(ofSeller, { name: 'Winters Capital LP', accountType: 'entity' });
});

async function order(
  partner: Partner,
  { investorId, accountId }: IntroducedInvestor,
  terms: Readonly<Record<string, unknown>>,
): Promise<string> {
  skipTime(200);
  const answer = await partner.client.post<{ order_id: string }>('/v1/orders', {
    order_type: 'limit',
    quantity: 4,
    price: 40,
    time_in_force: 'gtc',
    investor_id: investorId,
    account_id: accountId,
    ...terms,
  });
  if (answer.status !== 201) throw new Error(`order refused: ${JSON.stringify(answer.body)}`);
  return answer.body.order_id;
}

async function receiving({ organization }: Partner) {
  const receiver = outsideReceiver();
  return { ...receiver, ...(await createTestEndpoint(receiver.url, { organization, events: ['trade.executed'] })) };
}

/** A trade between investors of two partners, of a security of a third, as each of them is told of it. */
async function toldTrade(symbol: string, beforeTrade: (sellOrder: string) => Promise<unknown>) {
  const { securityId } = await listedSecurity(db, lister, symbol);
  await giveHolding({ accountId: seller.accountId, asset: securityId, lots: [{ quantity: 4 }] });
  const [toLister, toBuyer, toSeller, toStranger] = await Promise.all(
    [lister, ofBuyer, ofSeller, stranger].map(receiving),
  );
  const of = (firm_name: string, crd_number: string) => ({
    security_id: securityId,
    broker_dealer: { firm_name, crd_number },
  });
  const sell = await order(ofSeller, seller, { ...of('Alder Securities LLC', '222'), side: 'sell' });
  await beforeTrade(sell);
  await order(ofBuyer, buyer, { ...of('Juniper Securities LLC', '111'), side: 'buy' });
  const payloads: unknown[] = [];
  for (const endpoint of [toLister, toBuyer, toSeller]) {
    const [webhook] = (await endpoint?.receives(1)) ?? [];
    if (endpoint === undefined || webhook === undefined) throw new Error('not told');
    payloads.push(verified(endpoint.secret, webhook));
  }
  expect(await toStranger?.received()).toEqual([]);
  return payloads as {
    webhook_event: { recipients: { role: string; recipient_id: string; name: string }[] };
  }[];
}

const brokerDealer = (firm_name: string, crd_number: string) => ({ firm_name, crd_number, finra_member: true });

test('a trade is told to the partners of both sides, who stand in it with the broker-dealers of their orders', async () => {
  const payloads = await toldTrade('SIDES', async () => undefined);
  for (const payload of payloads) {
    expect(payload).toMatchObject({
      buyer: {
        investor_id: buyer.investorId,
        account_id: buyer.accountId,
        account_type: 'individual',
        broker_dealer: brokerDealer('Juniper Securities LLC', '111'),
      },
      seller: {
        investor_id: seller.investorId,
        account_id: seller.accountId,
        account_type: 'entity',
        broker_dealer: brokerDealer('Alder Securities LLC', '222'),
      },
      transaction: {
        security: {
          commissions: {
            buyer_broker_dealer: { firm_name: 'Juniper Securities LLC', crd_number: '111' },
            seller_broker_dealer: { firm_name: 'Alder Securities LLC', crd_number: '222' },
          },
        },
      },
    });
    expect(payload.webhook_event.recipients.map(({ role, recipient_id, name }) => [role, recipient_id, name])).toEqual([
      ['buyer_broker_dealer', ofBuyer.organization, 'Buyside Partners'],
      ['seller_broker_dealer', ofSeller.organization, 'Sellside Partners'],
      ['cross_lister', lister.organization, 'Northwind ATS'],
    ]);
  }
});

test('an order of which nothing is written down is that of the partner who has introduced its investor', async () => {
  const [payload] = await toldTrade('UNSAID', (id) =>
    env.DB.prepare('DELETE FROM partner_orders WHERE id = ?1').bind(id).run(),
  );
  expect(payload).toMatchObject({
    buyer: { broker_dealer: brokerDealer('Juniper Securities LLC', '111') },
    seller: { account_type: 'entity', broker_dealer: brokerDealer('Sellside Partners', '123456') },
  });
  expect(payload?.webhook_event.recipients).toContainEqual(
    expect.objectContaining({ role: 'seller_broker_dealer', recipient_id: ofSeller.organization }),
  );
});

test('an account of the venue’s own is told as an entity’s where one was handed in, else as a person’s', async () => {
  const person = await createTrader(db);
  const company = await createTrader(db);
  const begun = await createTrader(db);
  for (const [{ userId, accountId }, submission] of [
    [company, uuidv7()],
    [begun, null],
  ] as const)
    await db.insert(identities).values({
      id: uuidv7(),
      userId,
      account: accountId,
      owner: accountId,
      state: submission === null ? 'DRAFT' : 'EXPIRED',
      facts: '',
      attested: [],
      version: 1,
      submission,
      subject: 'entity',
      createdAt: 1,
      updatedAt: 1,
    });
  const venue = { firmName: 'Venue', crdNumber: '' };
  for (const [{ accountId }, kind] of [
    [person, 'individual'],
    [company, 'entity'],
    [begun, 'individual'],
    [seller, 'entity'],
    [buyer, 'individual'],
  ] as const) {
    const trade = { trade_id: 't', buyer: accountId, seller: accountId, buy_order: 'b', sell_order: 's' };
    expect((await partiesOfTrades(db, [trade], venue)).get('t')?.buyer.accountType).toBe(kind);
  }
});
