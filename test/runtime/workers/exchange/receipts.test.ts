import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
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
