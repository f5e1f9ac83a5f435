import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newTransfer, type Transfer } from '../../domain/bridge/transfer.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { bridgeMovementId } from '../../domain/ledger/bridge-movement-id.ts';
import type { BridgeOutcome } from '../../domain/ledger/outcomes.ts';
import type { BridgeMovement } from '../../domain/ledger/transactions.ts';
import { creditFee, isFeeOwed } from './transfer-fee.ts';
import type { TransferRecord, TransferStore } from './transfer-store.ts';

const END = 1_800_000_000_000;

beforeEach(() => void vi.useFakeTimers({ now: END + DAY_MS }));
afterEach(() => void vi.useRealTimers());

const terms: TransferTerms = {
  id: '01900000-0000-7000-8000-000000000001',
  organization: 'acme',
  asset: 'USDC',
  source: { kind: 'chain', chain: 'ethereum', address: 'from' },
  destination: { kind: 'account', account: 'customer' },
  amountIn: '1000',
  amountOut: '990',
  amount: 1_000,
  fee: 10,
  expiresAt: END,
};

const PAID: Partial<Transfer> = {
  state: 'confirmed',
  funds: { reference: 'in', amount: '1000', cameAt: END, isLost: false },
  payment: { kind: 'payout', reference: 'out', transaction: null, isAbandoned: false },
  history: [{ at: END, from: 'signing', to: 'confirmed', cause: 'payment_confirmed' }],
};

/** A transfer that was paid out, but for what is stated, and a ledger that answers so. */
function recordOf(change: Partial<Transfer> = {}, settings: object = { feeAccount: 'tenant', feeShare: 5 }) {
  const transfer = { ...newTransfer(terms), ...PAID, ...change };
  return { terms, transfer, settings: { assetId: 'usdc', ...settings }, createdAt: 1 } as unknown as TransferRecord;
}

async function credited(record: TransferRecord, answers: (BridgeOutcome['type'] | 'away')[] = []) {
  const asked: BridgeMovement[] = [];
  const waits: string[] = [];
  const store = { begun: record, save: async (change: object) => void Object.assign(record, change) };
  const of = { store: store as unknown as TransferStore, waitFor: (reason: string) => void waits.push(reason) };
  await creditFee(
    { ...of, point: () => undefined },
    {
      ledger: async (movement) => {
        asked.push(movement);
        const type = answers.shift() ?? 'done';
        if (type === 'away') throw new Error('nobody is there');
        return { type } as BridgeOutcome;
      },
    },
  );
  return { asked, waits };
}

test('what a transfer has earned is credited once, against its vault, a day after its end', async () => {
  const record = recordOf();
  vi.setSystemTime(END + DAY_MS - 1);
  expect([isFeeOwed(record), (await credited(record)).asked]).toEqual([true, []]);
  vi.setSystemTime(END + DAY_MS);
  const { asked, waits } = await credited(record);
  const vault = { organization: 'acme', chain: 'ethereum' };
  const mint = { kind: 'bridge', type: 'mint', account: 'tenant', asset: 'usdc', amount: 5, vault, createdAt: 1 };
  const commitment = termsCommitment(terms);
  const named = { id: bridgeMovementId(terms.id, 'fee', commitment), transfer: terms.id, commitment };
  expect(asked).toEqual([{ ...mint, ...named }]);
  expect([waits, record.feeCreditedAt, isFeeOwed(record)]).toEqual([[], END + DAY_MS, false]);
  expect((await credited(record)).asked).toEqual([]);
});

test('it is asked for again by the same id as long as the ledger refuses, or does not answer', async () => {
  const record = recordOf();
  const first = await credited(record, ['balance_too_large']);
  const second = await credited(record, ['away']);
  expect([first.waits, second.waits]).toEqual([
    ['its fee is not credited: the ledger refuses: balance_too_large'],
    ['its fee is not credited: the ledger does not answer'],
  ]);
  expect([record.feeCreditedAt, isFeeOwed(record)]).toEqual([undefined, true]);
  const third = await credited(record);
  expect([third.asked, third.waits, isFeeOwed(record)]).toEqual([first.asked, [], false]);
});

test.each([
  ['its funds were lost', { funds: { reference: 'in', amount: '1000', cameAt: END, isLost: true } }],
  ['it was refunded', { state: 'refunded' }],
  ['it was paid back', { payment: { kind: 'refund', reference: 'out', transaction: null, isAbandoned: false } }],
  ['it has expired', { state: 'expired', funds: null, payment: null }],
  ['it is still on its way', { state: 'broadcast' }],
] as const)('nothing is credited where %s', async (_, change) => {
  const record = recordOf(change);
  expect([isFeeOwed(record), (await credited(record)).asked]).toEqual([false, []]);
});

test.each([
  ['no account is stated', { feeAccount: null, feeShare: 5 }],
  ['it comes to nothing', { feeAccount: 'tenant', feeShare: 0 }],
  ['it began before there were such accounts', {}],
])('nothing is credited where %s', async (_, settings) => {
  const record = recordOf({}, settings);
  expect([isFeeOwed(record), (await credited(record)).asked]).toEqual([false, []]);
});
