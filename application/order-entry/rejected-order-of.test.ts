import { expect, test } from 'vitest';
import type { Principal } from '../../domain/identity/principal.ts';
import type { AskedOrder } from './checks/checked-order.ts';
import { rejectedOrderOf } from './rejected-order-of.ts';

const terms = {
  side: 'buy',
  type: 'stop_loss_limit',
  timeInForce: 'GTD',
  quantity: 5,
  price: 10_00,
  stopPrice: 9_00,
  expiresAt: 77,
} as AskedOrder['terms'];
const asset = { id: 'acme' } as AskedOrder['instrument']['asset'];
const market = { symbol: 'ACME-USD', quoteAsset: 'usd' } as AskedOrder['instrument']['market'];
const asked = {
  request: { orderId: 'one', clientOrderId: 'mine', preIpo: true },
  account: 'ada',
  instrument: { asset, market },
  terms,
} as AskedOrder;
const principal = { owner: 'org', keyId: 'key' } as Principal;

test('a rejected order keeps all that was asked for, who asked, and why it was rejected', () => {
  expect(rejectedOrderOf(asked, principal, { reason: 'account_frozen' })).toMatchObject({
    id: 'one',
    account: 'ada',
    owner: 'org',
    keyId: 'key',
    book: 'ACME-USD',
    assetId: 'acme',
    ...terms,
    clientOrderId: 'mine',
    reserveAsset: 'usd',
    preIpo: true,
    code: 'FORBIDDEN',
  });
});

test('a sell would have reserved the asset itself, and without a market there is no book', () => {
  const sell = { ...asked, terms: { ...terms, side: 'sell' as const } };
  expect(rejectedOrderOf(sell, principal, { reason: 'backlog' })).toMatchObject({ reserveAsset: 'acme' });
  const offBook = { ...asked, instrument: { ...asked.instrument, market: null } };
  expect(rejectedOrderOf(offBook, principal, { reason: 'backlog' })).toMatchObject({ book: null, reserveAsset: '' });
});
