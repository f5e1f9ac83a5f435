import { expect, test } from 'vitest';
import { type SettlementRecord, settlementHash } from './settlement-record.ts';

const RECORD: SettlementRecord = {
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

test('a settlement has one text, its version and its values, one a line, and is known by the SHA-256 of it', async () => {
  const text = [
    'settlement.v1',
    '019ff000-0000-7000-8000-000000000001',
    '019ff000-0000-7000-8000-000000000002',
    'usd',
    '250',
    '4812',
    '1203000',
    '019ff000-0000-7000-8000-000000000003',
    '019ff000-0000-7000-8000-000000000004',
    '1800000000123',
  ].join('\n');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  expect(await settlementHash(RECORD)).toBe(`0x${Buffer.from(digest).toString('hex')}`);
});

test('its hash is 32 bytes, the same whenever it is computed', async () => {
  expect(await settlementHash(RECORD)).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await settlementHash({ ...RECORD })).toBe(await settlementHash(RECORD));
});

test.each(Object.keys(RECORD) as (keyof SettlementRecord)[])('another %s is another hash', async (field) => {
  const other = typeof RECORD[field] === 'number' ? Number(RECORD[field]) + 1 : `${RECORD[field]}x`;
  expect(await settlementHash({ ...RECORD, [field]: other })).not.toBe(await settlementHash(RECORD));
});

test('a value that would run into the next one is a bug', async () => {
  await expect(settlementHash({ ...RECORD, currency: 'usd\n250' })).rejects.toThrow(/line end/);
});
