import { expect, test } from 'vitest';
import { givesRoomBack } from './gives-room-back.ts';
import { newTransfer, TRANSFER_STATES, type Transfer, type TransferState } from './transfer.ts';

const terms = {
  id: '01900000-0000-7000-8000-000000000000',
  organization: 'o',
  asset: 'USDC',
  source: { kind: 'account', account: 'a' },
  destination: { kind: 'chain', chain: 'ethereum', address: '0x1' },
  amountIn: '10',
  amountOut: '9',
  amount: 10,
  fee: 1,
  expiresAt: 1,
} as const;
const funds = { reference: 'in', amount: '10', cameAt: 1, isLost: false };
const counted: Transfer = { ...newTransfer(terms), funds, attestedBy: [0, 1, 2] };
const payout = { kind: 'payout', reference: 'r', transaction: null, isAbandoned: false } as const;

test('B-10: room comes back once funds go back, and not before', () => {
  const back: TransferState[] = ['refundable', 'refund_signing', 'refund_broadcast', 'refunded'];
  expect(TRANSFER_STATES.filter((state) => givesRoomBack({ ...counted, state }))).toEqual(back);
});

test('B-10: room comes back of a payout that is never to be paid, before it is cancelled', () => {
  for (const state of ['signing', 'broadcast'] as const) {
    const paying = { ...counted, state, payment: payout };
    expect(givesRoomBack(paying)).toBe(false);
    expect(givesRoomBack({ ...paying, refundReason: 'vetoed' })).toBe(true);
  }
});

test('B-10: no room comes back of what was never counted, or comes again with its funds', () => {
  const transfer = { ...counted, state: 'refundable' } as const;
  expect(givesRoomBack({ ...transfer, attestedBy: [0, 1] })).toBe(false);
  expect(givesRoomBack({ ...transfer, funds: null })).toBe(false);
  expect(givesRoomBack({ ...transfer, funds: { ...funds, isLost: true } })).toBe(false);
});
