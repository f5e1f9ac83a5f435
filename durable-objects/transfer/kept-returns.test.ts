import { expect, test } from 'vitest';
import type { PaymentOrder, PaymentStatus, SignedPayment, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { TransferPorts } from './ports.ts';
import { type PayingTransfer, TransferPayments } from './transfer-payments.ts';

const keys = { scheme: 'frost-ed25519', groupKey: 'ab'.repeat(32), signerKeys: [] } as const;
const vault: Vault = { chain: 'solana', network: 'testnet', keys, contract: null, token: null, decimals: 9 };
const refund = (to: string, reference: string) => ({
  side: 'source',
  payment: { kind: 'refund', commitment: 'c', reference, to, amount: '10' } satisfies PaymentOrder,
});

/** What is handed in again of a transfer that has returned what two others have paid in, one of them by its second payment, and goes on to give its payer's own back. */
async function handedIn(statuses: Readonly<Record<string, PaymentStatus | 'away'>>, funds = ['x', 'y']) {
  const announced = [
    { ...refund('x', 'void'), side: 'destination', payment: { ...refund('x', 'out').payment, kind: 'payout' } },
    refund('x', 'first'),
    refund('x', 'second'),
    refund('y', 'of y'),
    refund('payer', 'own'),
  ];
  const references = ['first', 'second', 'of y', 'own'];
  const signed = Object.fromEntries(
    references.map((reference) => [`refund ${reference}`, { raw: reference, transaction: reference }]),
  );
  const begun = { announced, returned: ['x', 'y', 'z'], settings: { source: vault }, signed };
  const again: string[] = [];
  const waits: string[] = [];
  const chains = {
    deposits: async (_: Vault, __: string, payer: string) => [
      { reference: 'other', amount: '10', confirmations: 1 },
      { reference: 'more', amount: '11', confirmations: 1, payer },
      ...(funds.includes(payer) ? [{ reference: payer, amount: '10', confirmations: 1, payer }] : []),
    ],
    statusOf: async (_: Vault, { reference }: PaymentOrder) => {
      const status = statuses[reference];
      if (status === 'away') throw new Error('the node is away');
      return status ?? { state: 'unspent' };
    },
    broadcast: async (_: Vault, { raw }: SignedPayment) => again.push(raw),
  };
  const of = {
    store: { begun },
    waitFor: (reason: string) => void waits.push(reason),
    handInRest_ms: () => 0,
  } as unknown as PayingTransfer;
  await new TransferPayments(of).keepReturned({ chains } as unknown as TransferPorts);
  return { again, waits };
}

test('a return that a reorganization has taken away is handed in again, by the payment that had landed alone', async () => {
  expect((await handedIn({})).again).toEqual(['second', 'of y']);
  // What they have paid in may be gone with it.
  expect((await handedIn({}, ['y'])).again).toEqual(['of y']);
  const landed = { state: 'paid', transaction: 'tx', confirmations: 1 } as const;
  expect((await handedIn({ second: landed })).again).toEqual(['of y']);
  expect((await handedIn({ second: { ...landed, state: 'void' }, 'of y': landed })).again).toEqual([]);
});

test('a return that cannot be looked at keeps no other back', async () => {
  const { again, waits } = await handedIn({ second: 'away' });
  expect(again).toEqual(['of y']);
  expect(waits).toEqual([expect.stringContaining('what was returned')]);
});
