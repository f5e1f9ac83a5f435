import { expect, test } from 'vitest';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import type { LiveOrder } from '../engine/engine.ts';
import { ENGINE_ORDERS, LEDGER_ORDERS } from './snapshot-text.ts';

/** More than one text takes. */
const ORDERS = 4_001;

const live = (index: number): LiveOrder => ({
  orderId: `order-${index}`,
  account: 'alice',
  keyId: index % 2 === 0 ? 'key-1' : null,
  side: 'sell',
  orderType: 'stop_loss_limit',
  timeInForce: 'GTD',
  quantity: 30,
  price: 10_050 + index,
  stopPrice: 10_100,
  expiresAt: 1_700_000_060_000,
  selfTradePrevention: 'decrement',
  hidden: true,
  displayQuantity: 5,
  attributes: 3,
  requires: 2,
  arrival: 7 + index,
  filled: 10,
  remaining: 20,
  displayed: 4,
  pendingTrigger: true,
  family: index % 3 === 0 ? ['carol', 'dave'] : null,
});

const held = (index: number): LedgerOrder => ({
  orderId: `order-${index}`,
  account: 'alice',
  side: 'sell',
  quantity: 30,
  limit: 10_050,
  price: index % 2 === 0 ? 10_050 : null,
  makerFeeBps: 1,
  takerFeeBps: 4,
  filled: 10,
  filledNotional: 1_005,
  remaining: 20,
  feeNumerator: 77,
  fee: 3,
  reserve: 20,
  allowanceAsset: 'allowance-1',
  allowance: 8,
  positionAsset: 'position-1',
  position: 9,
  restricted: true,
  lots:
    index % 3 === 0
      ? []
      : [{ reservationId: 'order-1', lotId: 'lot-1', quantity: 30, restrictionEndsAt: 9, offeringType: 'reg_d' }],
  status: 'pending_trigger',
  code: 'a code',
  updatedAt: 1_700_000_000_000 + index,
  rate: index % 2 === 0 ? { numerator: 11, denominator: 10 } : null,
});

test('orders come back from the texts of a snapshot as they were, every field, however many', () => {
  const engineOrders = Array.from({ length: ORDERS }, (_, index) => live(index));
  const orders = Array.from({ length: ORDERS }, (_, index) => held(index));
  const engineTexts = [...ENGINE_ORDERS.texts(engineOrders)];
  const texts = [...LEDGER_ORDERS.texts(orders)];
  expect([engineTexts.length, texts.length]).toEqual([3, 3]);
  expect(engineTexts.flatMap(ENGINE_ORDERS.of)).toEqual(engineOrders);
  expect(texts.flatMap(LEDGER_ORDERS.of)).toEqual(orders);
});

test('a book without orders has a snapshot without texts of them', () => {
  expect([...ENGINE_ORDERS.texts([]), ...LEDGER_ORDERS.texts([])]).toEqual([]);
});
