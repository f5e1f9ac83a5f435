import { expect, test } from 'vitest';
import { BRIDGE_EVENTS, toldChanges } from './told-changes.ts';
import { newTransfer, type Payment, TRANSFER_STATES, type Transfer } from './transfer.ts';

const terms = {
  id: 't',
  organization: 'acme',
  asset: 'USDC',
  source: { kind: 'account', account: 'a' },
  destination: { kind: 'account', account: 'b' },
  amountIn: '10',
  amountOut: '9',
  amount: 10,
  fee: 1,
  expiresAt: 1,
} as const;
const funds = { reference: 'in', amount: '10', cameAt: 1, isLost: false };
const payment: Payment = { kind: 'payout', reference: 'out', transaction: null, isAbandoned: false };
const of = (change: Partial<Transfer>): Transfer => ({ ...newTransfer(terms), ...change });

test('each state is told when a transfer comes to it, but for three that pass by themselves', () => {
  const told = TRANSFER_STATES.flatMap((state) => toldChanges(null, of({ state })));
  const silent = TRANSFER_STATES.filter((state) => toldChanges(null, of({ state })).length === 0);
  expect(silent).toEqual(['limit_check', 'signing', 'refund_signing']);
  const others = ['cancelling', 'uncovered', 'covered'].map((name) => `bridge.transfer.${name}`);
  expect([...told, ...others]).toEqual([...BRIDGE_EVENTS]);
});

test('a state that stays is told once', () => {
  for (const state of TRANSFER_STATES) expect(toldChanges(of({ state }), of({ state }))).toEqual([]);
});

test('a payment that has its reference and is to be cancelled is told once, whyever', () => {
  const before = of({ state: 'broadcast', funds, payment });
  const causes: readonly Partial<Transfer>[] = [
    { refundReason: 'vetoed' },
    { funds: { ...funds, isLost: true } },
    { payment: { ...payment, isAbandoned: true } },
  ];
  for (const cause of causes) {
    const after = { ...before, ...cause };
    expect(toldChanges(before, after)).toEqual(['bridge.transfer.cancelling']);
    expect(toldChanges(after, { ...after, payment: { ...payment, transaction: 'tx', isAbandoned: true } })).toEqual([]);
    expect(toldChanges(after, { ...after, state: 'refundable', payment: null })).toEqual([
      'bridge.transfer.refundable',
    ]);
  }
  expect(toldChanges(of({ state: 'signing', funds, refundReason: 'vetoed' }), of({ state: 'signing', funds }))).toEqual(
    [],
  );
});

test('funds that are lost after a payment are told, with the end or after it, and that they are back', () => {
  const [broadcast, confirmed] = [of({ state: 'broadcast' }), of({ state: 'confirmed' })];
  const lost = of({ state: 'confirmed', isUncovered: true });
  expect(toldChanges(broadcast, lost)).toEqual(['bridge.transfer.confirmed', 'bridge.transfer.uncovered']);
  expect(toldChanges(confirmed, lost)).toEqual(['bridge.transfer.uncovered']);
  expect(toldChanges(lost, confirmed)).toEqual(['bridge.transfer.covered']);
  expect(toldChanges(lost, lost)).toEqual([]);
});
