import { expect, test } from 'vitest';
import { order } from './ledger.fixtures.ts';
import {
  type OrderAdmission,
  orderAdmissionCodec,
  type SettlementChunk,
  settlementChunkCodec,
  type Trade,
} from './records.ts';

const EMPTY = { trades: [], orders: [], balances: [], lots: [], lotMoves: [], amendments: [], bars: [] };

const stored = (chunk: SettlementChunk): SettlementChunk =>
  settlementChunkCodec.unpack(JSON.parse(JSON.stringify(settlementChunkCodec.pack(chunk))) as unknown[]);

test.each([
  { ...EMPTY },
  { ...EMPTY, stopPrices: [{ id: 'order', stopPrice: 1 }] },
  { ...EMPTY, haltedUntil: 1 },
  { ...EMPTY, bandReference: 0 },
  { ...EMPTY, stopPrices: [{ id: 'order', stopPrice: 1 }], bandReference: 100 },
  { ...EMPTY, band: { reference: null, target: 100, at: 1, statement: null } },
])('a chunk has the fields that it had before it was stored: %j', (chunk) => {
  expect(stored(chunk)).toEqual(chunk);
  const { stopPrices = [], breaks = [] } = stored(chunk);
  expect([stopPrices.length, breaks.length]).toEqual(['stopPrices' in chunk ? 1 : 0, 0]);
});

const TRADE: Trade = {
  id: 't',
  sequence: 1,
  price: 1,
  quantity: 1,
  notional: 1,
  takerSide: 'buy',
  buyOrder: 'b',
  sellOrder: 's',
  buyer: 'alice',
  seller: 'bob',
  buyerFee: 0,
  sellerFee: 0,
  executedAt: 1,
};
const MAY_LACK = {
  buyFilled: 1,
  buyRemaining: 0,
  sellFilled: 1,
  sellRemaining: 0,
  allowance: 5,
  settlesOn: '2026-01-02',
};

function subsetsOf<T extends object>(terms: T): Partial<T>[] {
  return Object.entries(terms).reduce<Partial<T>[]>(
    (subsets, [name, value]) => subsets.flatMap((subset) => [subset, { ...subset, [name]: value }]),
    [{}],
  );
}

const present = (record: object) => Object.fromEntries(Object.entries(record).filter(([, value]) => value != null));

test('each trade of a chunk has what it had before it was stored, whatever others of the chunk have', () => {
  const trades = subsetsOf(MAY_LACK).map((terms): Trade => ({ ...TRADE, ...terms }) as Trade);
  const read = stored({ ...EMPTY, trades }).trades;
  expect(read.map(present)).toEqual(trades.map(present));
  for (const { buyFilled, buyRemaining, sellFilled, sellRemaining } of read)
    expect([buyFilled, buyRemaining, sellFilled, sellRemaining]).not.toContain(null);
});

test('each order has what it had before it was stored, whatever others of its batch have', () => {
  const orders = subsetsOf({ rateVersion: 2, preIpo: true }).map(
    (terms): OrderAdmission => order({ id: 'o', ...terms }),
  );
  const packed = orderAdmissionCodec.packList(orders);
  const read = [
    ...orderAdmissionCodec.unpackList(JSON.parse(JSON.stringify(packed))),
    ...orders.map((each) => orderAdmissionCodec.unpack(JSON.parse(JSON.stringify(orderAdmissionCodec.pack(each))))),
  ];
  expect(read.map(present)).toEqual([...orders, ...orders].map(present));
  for (const { preIpo } of read) expect(preIpo).not.toBeNull();
});
