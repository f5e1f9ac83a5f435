import { expect, test } from 'vitest';
import type { PaymentStatus, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { newTransfer, type Transfer } from '../../../../domain/bridge/transfer.ts';
import type { TransferPorts } from '../../../../durable-objects/transfer/ports.ts';
import { type PayingTransfer, TransferPayments } from '../../../../durable-objects/transfer/transfer-payments.ts';
import type { TransferRecord } from '../../../../durable-objects/transfer/transfer-store.ts';

const keys = { scheme: 'multisig-secp256k1', groupKey: '', signerKeys: [] } as const;
const vaultOn = (chain: Vault['chain']): Vault => ({
  chain,
  network: 'testnet',
  keys,
  contract: null,
  token: null,
  decimals: 8,
});
const terms = {
  id: 't',
  organization: 'acme',
  asset: 'BTC',
  source: { kind: 'chain', chain: 'bitcoin-segwit', address: 'from' },
  destination: { kind: 'chain', chain: 'xrpl', address: 'to' },
  amountIn: '10',
  amountOut: '9',
  amount: 10,
  fee: 1,
  expiresAt: 1,
} as const;

/** Payments of a transfer that is to be cancelled, and what is asked of signers and chains meanwhile. */
function cancelling(kind: 'payout' | 'refund', source: Vault['chain'] = 'bitcoin-segwit') {
  const asked: string[] = [];
  const guard = { isStopped: false };
  const payment = { kind, reference: 'r', transaction: null, isAbandoned: false } as const;
  const funds = { reference: 'in', amount: '10', cameAt: 1, isLost: true };
  const transfer: Transfer = { ...newTransfer(terms), state: 'broadcast', funds, payment };
  const settings = { source: vaultOn(source), destination: vaultOn('bitcoin-segwit'), guard: 'g' };
  const begun = {
    terms,
    settings,
    transfer,
    commitment: 'c',
    announced: [],
    signed: {},
    cheaters: [],
    cancelling: null,
  };
  const store = {
    begun: begun as unknown as TransferRecord,
    save: async (change: object) => void Object.assign(begun, change),
  };
  const ports = {
    cluster: {
      sign: async ({ payment: order }: { payment: { kind: string } }) => {
        asked.push(`sign ${order.kind}`);
        // Those who have not signed it do not know it.
        if (guard.isStopped) return { ok: false, reason: 'not known', isForGood: false, cheaters: [] };
        return { ok: true, signatures: [], by: [], cheaters: [] };
      },
    },
    chains: {
      complete: async () => ({ raw: 'raw', transaction: 'tx' }),
      broadcast: async () => asked.push('broadcast'),
      confirmationsNeeded: async () => 6,
      announce: async () => {
        asked.push('announce');
        if (guard.isStopped) throw new Error('the guard is stopped');
      },
      checkReference: async () => ({ fault: null, spends: [] }),
    },
  } as unknown as TransferPorts;
  const of: PayingTransfer = {
    store: store as unknown as PayingTransfer['store'],
    happened: async ({ type }) => void asked.push(type),
    waitFor: (reason) => void asked.push(`waits: ${reason}`),
    nextRefund: () => 0,
    point: () => undefined,
  };
  const cancel = (status: PaymentStatus) => new TransferPayments(of).cancel(ports, status);
  return { asked, cancel, guard };
}

test('a payment that only waits to be in a block is replaced; one that is in a block is not', async () => {
  const spent = { state: 'paid', transaction: 'tx' } as const;
  for (const status of [{ state: 'unspent' }, { ...spent, confirmations: 0 }] as const) {
    const { asked, cancel } = cancelling('payout');
    await cancel(status);
    expect(asked).toEqual(['announce', 'sign cancel', 'broadcast']);
  }
  const { asked, cancel } = cancelling('payout');
  await cancel({ ...spent, confirmations: 1 });
  expect(asked).toEqual([]);
});

test('a payment that the guard did not list when it was to is shown again as it is cancelled, and signers are asked while the guard is stopped', async () => {
  const { asked, cancel, guard } = cancelling('payout');
  guard.isStopped = true;
  await cancel({ state: 'unspent' });
  const waits = 'waits: the guard does not list what is to be cancelled';
  expect(asked).toEqual(['announce', waits, 'sign cancel', 'waits: not known']);
  asked.length = 0;
  guard.isStopped = false;
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(['announce', 'sign cancel', 'broadcast']);
});

test('a refund out of its deposit is never cancelled, which would leave nothing to give back; any other is', async () => {
  const out = cancelling('refund');
  await out.cancel({ state: 'unspent' });
  expect(out.asked).toEqual(['waits: its deposit is missing: it goes back out of that alone']);
  const other = cancelling('refund', 'xrpl');
  await other.cancel({ state: 'unspent' });
  expect(other.asked).toEqual(['announce', 'sign cancel', 'broadcast']);
});
