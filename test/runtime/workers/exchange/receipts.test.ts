import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import { verifyEd25519 } from '../../../../domain/consensus/ed25519.ts';
import { receiptFault } from '../../../../domain/consensus/receipt.ts';
import { wakeSequencer } from '../../../../durable-objects/sequencer/api.ts';
import { ReceiptDocument } from '../../../../protocol/receipts/receipt-document.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { type ErrorBody, signedIn } from '../../fixtures/exchange-client.ts';
import { sequencerFaults } from '../../fixtures/faulty-sequencer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

let traders: BuyerAndSeller;
let stranger: Awaited<ReturnType<typeof createTrader>>;

beforeAll(async () => {
  const db = await migrate();
  traders = await createBuyerAndSeller(db, 'RCP');
  stranger = await createTrader(db);
});

async function trade(): Promise<string> {
  const symbol = await traders.freshPair();
  const order = { symbol, type: 'limit', size: 1, price: 10, time_in_force: 'GTC' };
  await traders.seller.client.post('/v1/orders', { ...order, side: 'sell' });
  await traders.buyer.client.post('/v1/orders', { ...order, side: 'buy' });
  await settle(symbol);
  await wakeSequencer(env);
  return (await env.DB.prepare('SELECT id FROM trades WHERE book = ?1').bind(symbol).first<{ id: string }>())?.id ?? '';
}

test.each(['buyer', 'seller'] as const)(
  'the %s of a trade gets a receipt that proves itself, and opens no side but theirs',
  async (party) => {
    const id = await trade();
    const client = await signedIn(traders[party]);
    const { status, body } = await client.get(`/v1/core-transactions/${id}/receipt`);
    expect(status).toBe(200);
    const receipt = ReceiptDocument.parse(body);
    expect(await receiptFault(receipt, verifyEd25519)).toBeNull();
    expect(receipt.settlement.tradeId).toBe(id);
    expect(receipt.parties).toEqual([{ party, account: traders[party].accountId, salt: expect.any(String) }]);
    const other = party === 'buyer' ? traders.seller : traders.buyer;
    expect(JSON.stringify(body)).not.toContain(other.accountId);
  },
);

async function adjust(tradeId: string, price: number | null): Promise<string> {
  const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
  const made = await adjustTrade(env, { tradeId, price, reason: 'erroneous', action, now: Date.now() });
  expect(made).toMatchObject({ ok: true });
  return action.id;
}

async function receiptFor(party: 'buyer' | 'seller', id: string): Promise<ReceiptDocument> {
  const { status, body } = await (await signedIn(traders[party])).get(`/v1/core-transactions/${id}/receipt`);
  expect(status).toBe(200);
  const receipt = ReceiptDocument.parse(body);
  expect(await receiptFault(receipt, verifyEd25519)).toBeNull();
  return receipt;
}

test.each([
  ['taken back', null, { price: 0, notional: 0 }],
  ['corrected', 9, { price: 900, notional: 900 }],
] as const)(
  'B-11: the receipt of a trade that was %s since names that with its proof, to both of its sides',
  async (_, price, terms) => {
    const id = await trade();
    const before = await receiptFor('buyer', id);
    expect(before.adjustment).toBeUndefined();
    const adjustmentId = await adjust(id, price);
    for (const party of ['buyer', 'seller'] as const) {
      const { adjustment, settlement } = await receiptFor(party, id);
      expect(settlement).toEqual(before.settlement);
      expect(adjustment?.record).toEqual({ adjustmentId, tradeId: id, ...terms, adjustedAt: expect.any(Number) });
      expect(adjustment?.headers[0]?.height).toBeGreaterThan(before.headers[0]?.height ?? 0);
    }
  },
);

test('B-11: while the committee has not voted on what was made of a trade, there is no receipt that says less', async () => {
  const id = await trade();
  await receiptFor('buyer', id);
  sequencerFaults.away = 5;
  await adjust(id, null);
  const buyer = await signedIn(traders.buyer);
  expect(await buyer.get<ErrorBody>(`/v1/core-transactions/${id}/receipt`)).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', details: { finality: 'pending' } } },
  });
  sequencerFaults.away = 0;
  await wakeSequencer(env);
  expect((await receiptFor('buyer', id)).adjustment?.record.tradeId).toBe(id);
});

test('nobody else gets one, and what is no trade has none', async () => {
  const id = await trade();
  const outside = await signedIn(stranger);
  expect((await outside.get(`/v1/core-transactions/${id}/receipt`)).status).toBe(404);
  const buyer = await signedIn(traders.buyer);
  for (const unknown of ['nothing', '019ff000-0000-7000-8000-000000000001'])
    expect((await buyer.get(`/v1/core-transactions/${unknown}/receipt`)).status).toBe(404);
});

test('while the committee has not voted the answer is a conflict that says so', async () => {
  sequencerFaults.away = 5;
  const id = await trade();
  const buyer = await signedIn(traders.buyer);
  const early = await buyer.get<ErrorBody>(`/v1/core-transactions/${id}/receipt`);
  expect(early.status).toBe(409);
  expect(early.body.error).toMatchObject({ code: 'CONFLICT', details: { finality: 'pending' } });
  sequencerFaults.away = 0;
  await wakeSequencer(env);
  expect((await buyer.get(`/v1/core-transactions/${id}/receipt`)).status).toBe(200);
});
