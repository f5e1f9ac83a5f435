import { expect, test } from 'vitest';
import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { MemoFault } from '../../domain/bridge/chains/memo-fault.ts';
import type { PayeeFault } from '../../domain/bridge/chains/payees/payee-fault.ts';
import { paymentDigest, transactionDigest } from '../../domain/bridge/signing/payment-digest.ts';
import { newTransfer, type Transfer } from '../../domain/bridge/transfer.ts';
import type { Place, TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { TransferPorts } from './ports.ts';
import { orderOf } from './transfer-orders.ts';
import { type PayingTransfer, TransferPayments } from './transfer-payments.ts';
import type { TransferRecord } from './transfer-store.ts';

const keys = { scheme: 'frost-ed25519', groupKey: 'ab'.repeat(32), signerKeys: [] } as const;
const vault: Vault = { chain: 'xrpl', network: 'testnet', keys, contract: null, token: null, decimals: 6 };
const at = (address: string, memo?: string): Place => ({
  kind: 'chain',
  chain: 'xrpl',
  address,
  ...(memo && { memo }),
});

function recordOf(state: Transfer['state'], payment: Transfer['payment'], memo = '104562'): TransferRecord {
  const terms: TransferTerms = {
    id: 't',
    organization: 'acme',
    asset: 'XRP',
    source: at('from', 'back 7'),
    destination: at('to', memo),
    amountIn: '10',
    amountOut: '9',
    amount: 10,
    fee: 1,
    expiresAt: 1,
  };
  const funds = { reference: 'in', amount: '10', cameAt: 1, isLost: false };
  const transfer: Transfer = { ...newTransfer(terms), state, funds, payment };
  const settings = { source: vault, destination: vault, guard: 'g' };
  const rest = { commitment: 'c', announced: [], signed: {}, cheaters: [], cancelling: null, attempts: 1 };
  return { terms, transfer, settings, ...rest } as unknown as TransferRecord;
}

function paymentsOf(begun: TransferRecord) {
  const asked: Partial<PaymentOrder>[] = [];
  const happened: unknown[] = [];
  const announced: string[][] = [];
  const faults: { payee: PayeeFault | null; memo: MemoFault | null } = { payee: null, memo: null };
  const ports = {
    watcher: () => ({
      ended: async () => undefined,
      referenceFor: async (_: Vault, order: PaymentOrder) => {
        asked.push(order);
        return { reference: 'r' };
      },
    }),
    cluster: {
      referenceFault: async () => null,
      sign: async ({ payment }: { payment: PaymentOrder }) => {
        asked.push(payment);
        return { ok: true, signatures: [], by: [], cheaters: [] };
      },
    },
    chains: {
      payeeFault: async () => faults.payee,
      payeeMemoFault: async () => faults.memo,
      announce: async (_: object, { commitment, payment }: { commitment: string; payment: string }) =>
        void announced.push([commitment, payment]),
      build: async () => UNSIGNED,
      checkReference: async () => ({ fault: null, spends: [] }),
      complete: async () => ({ raw: 'raw', transaction: 'tx' }),
      broadcast: async () => 'tx',
    },
  } as unknown as TransferPorts;
  const of: PayingTransfer = {
    store: { begun, save: async () => undefined } as unknown as PayingTransfer['store'],
    handInRest_ms: () => 0,
    unknownWait_ms: () => 0,
    happened: async (event) => void happened.push(event),
    waitFor: (reason) => void happened.push(reason),
    nextRefund: () => 0,
    point: () => undefined,
  };
  return { announced, asked, faults, happened, ports, payments: new TransferPayments(of) };
}

const UNSIGNED = { messages: [{ bytes: 'ab', tweak: null }] };
const UNSPENT = { state: 'unspent' } as const;

test('B-08: each payment is asked for and signed with the memo of whom it pays', async () => {
  for (const [kind, state, memo] of [
    ['payout', 'signing', '104562'],
    ['refund', 'refundable', 'back 7'],
  ] as const) {
    const { asked, ports, payments } = paymentsOf(recordOf(state, null));
    await payments.fix(ports);
    expect(asked).toMatchObject([{ kind, memo }]);
    const fixed = recordOf(state, { kind, reference: 'r', transaction: null, isAbandoned: false });
    expect(orderOf(fixed, kind)).toMatchObject({ kind, memo });
    const signing = paymentsOf(fixed);
    await signing.payments.pay(signing.ports, UNSPENT);
    expect(signing.asked).toMatchObject([{ kind, memo }]);
  }
});

test('B-08: a payment to whom none is stated for has none, and neither has what cancels one', async () => {
  const payment = { kind: 'payout', reference: 'r', transaction: null, isAbandoned: false } as const;
  expect('memo' in orderOf(recordOf('signing', payment, ''), 'payout')).toBe(false);
  const { asked, ports, payments } = paymentsOf(recordOf('broadcast', payment));
  await payments.cancel(ports, UNSPENT);
  expect(asked).toMatchObject([{ kind: 'cancel', to: '', amount: '0' }]);
  expect(asked.map((order) => 'memo' in order)).toEqual([false]);
});

test('a payout whose payee cannot be paid any more takes no reference and is shown to nobody, and goes back at once', async () => {
  const givenUp = { type: 'given_up', reason: 'unsignable' };
  for (const [fault, reason] of [
    [{ payee: 'locked' }, 'the address is an account that nobody can sign for'],
    [{ memo: { kind: 'required', reason: 'is asked for' } }, 'the memo is asked for'],
  ] as const) {
    const out = paymentsOf(recordOf('signing', null));
    Object.assign(out.faults, fault);
    await out.payments.fix(out.ports);
    expect([out.asked, out.happened]).toEqual([[], [expect.stringContaining(reason), givenUp]]);
    // What goes back goes back, whatever has become of that account.
    const back = paymentsOf(recordOf('refundable', null));
    Object.assign(back.faults, fault);
    await back.payments.fix(back.ports);
    expect(back.asked).toMatchObject([{ kind: 'refund', to: 'from' }]);
  }
});

test('a transaction that does not say whose payment it is is shown for its transfer before it is signed, and no other', async () => {
  const payment = { kind: 'payout', reference: 'r', transaction: null, isAbandoned: false } as const;
  for (const [chain, memo, shows] of [
    ['near', '', true],
    ['stellar', 'id:7', true],
    // A memo of another transfer's payee may be what this one would carry.
    ['stellar', '', true],
    ['xrpl', '7', false],
  ] as const) {
    const record = recordOf('signing', payment, memo);
    const on = { ...record, settings: { ...record.settings, destination: { ...vault, chain } } };
    const out = paymentsOf(on);
    await out.payments.pay(out.ports, UNSPENT);
    const digest = paymentDigest('destination', orderOf(on, 'payout'));
    expect(out.announced).toEqual([['c', digest], ...(shows ? [[transactionDigest(UNSIGNED), 'c']] : [])]);
  }
  const cancelled = paymentsOf(recordOf('broadcast', payment));
  await cancelled.payments.cancel(cancelled.ports, UNSPENT);
  expect(cancelled.announced).toHaveLength(1);
});
