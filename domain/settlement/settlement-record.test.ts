import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type AdjustmentRecord,
  adjustmentRecordHash,
  partyCommitment,
  partyOpening,
  type SettledTrade,
  settlementHash,
  settlementRecord,
  settlementRecordHash,
} from './settlement-record.ts';

const KEY = 'a-key-of-the-venue';
const TRADE: SettledTrade = {
  tradeId: '019ff000-0000-7000-8000-000000000001',
  assetId: '019ff000-0000-7000-8000-000000000002',
  currency: 'usd',
  quantity: 250,
  price: 4_812,
  notional: 1_203_000,
  buyer: '019ff000-0000-7000-8000-000000000003',
  seller: '019ff000-0000-7000-8000-000000000004',
  executedAt: 1_800_000_000_123,
};
const RECORD = settlementRecord(KEY, TRADE);
const ADJUSTMENT: AdjustmentRecord = {
  adjustmentId: '019ff000-0000-7000-8000-000000000005',
  tradeId: TRADE.tradeId,
  price: 0,
  notional: 0,
  adjustedAt: 1_800_000_000_456,
};

function sha256(...lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

test('a settlement has one text, its version and its values, one a line, and is known by the SHA-256 of it', () => {
  const salt = (party: string) =>
    createHmac('sha256', KEY).update(['edge.party.salt.v1', TRADE.tradeId, party].join('\n')).digest('hex');
  const expected = sha256(
    'settlement.v2',
    TRADE.tradeId,
    TRADE.assetId,
    'usd',
    '250',
    '4812',
    '1203000',
    sha256('edge.party.v1', salt('buyer'), TRADE.buyer),
    sha256('edge.party.v1', salt('seller'), TRADE.seller),
    '1800000000123',
  );
  expect(settlementHash(KEY, TRADE)).toBe(`0x${expected}`);
});

test('an adjustment has a text of its own', () => {
  const { adjustmentId, tradeId } = ADJUSTMENT;
  expect(adjustmentRecordHash(ADJUSTMENT)).toBe(
    sha256('adjustment.v1', adjustmentId, tradeId, '0', '0', '1800000000456'),
  );
});

test('a record names no account, and its commitments are opened by the venue alone', () => {
  expect(JSON.stringify(RECORD)).not.toContain(TRADE.buyer);
  expect(JSON.stringify(RECORD)).not.toContain(TRADE.seller);
  expect(partyCommitment(partyOpening(KEY, TRADE, 'buyer'))).toBe(RECORD.buyerCommitment);
  expect(partyCommitment(partyOpening(KEY, TRADE, 'seller'))).toBe(RECORD.sellerCommitment);
  expect(partyCommitment({ ...partyOpening(KEY, TRADE, 'buyer'), account: TRADE.seller })).not.toBe(
    RECORD.buyerCommitment,
  );
});

test('neither two sides of a trade nor two trades of an account share a salt', () => {
  const sides = [
    partyOpening(KEY, TRADE, 'buyer'),
    partyOpening(KEY, TRADE, 'seller'),
    partyOpening(KEY, { ...TRADE, tradeId: ADJUSTMENT.adjustmentId }, 'buyer'),
    partyOpening('another key', TRADE, 'buyer'),
  ];
  expect(new Set(sides.map(({ salt }) => salt)).size).toBe(sides.length);
});

test.each(Object.keys(RECORD) as (keyof typeof RECORD)[])('another %s is another hash', (field) => {
  const other = typeof RECORD[field] === 'number' ? Number(RECORD[field]) + 1 : `${RECORD[field]}x`;
  expect(settlementRecordHash({ ...RECORD, [field]: other })).not.toBe(settlementRecordHash(RECORD));
});

test('a value that would run into the next one is a bug', () => {
  expect(() => settlementRecordHash({ ...RECORD, currency: 'usd\n250' })).toThrow(/line end/);
});
