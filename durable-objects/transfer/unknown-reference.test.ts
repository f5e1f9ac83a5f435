import { expect, test } from 'vitest';
import type { ReferenceCheck, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { newTransfer } from '../../domain/bridge/transfer.ts';
import type { Place, TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { TransferPorts } from './ports.ts';
import { type PayingTransfer, TransferPayments } from './transfer-payments.ts';

const keys = { scheme: 'multisig-secp256k1', groupKey: '', signerKeys: [] } as const;
const vault: Vault = { chain: 'tron', network: 'mainnet', keys, contract: null, token: null, decimals: 6 };
const at = (address: string): Place => ({ kind: 'chain', chain: 'tron', address });
const terms: TransferTerms = {
  id: 't',
  organization: 'acme',
  asset: 'TRX',
  source: at('from'),
  destination: at('to'),
  amountIn: '10',
  amountOut: '9',
  amount: 10,
  fee: 1,
  expiresAt: 1,
};

/** What the object takes for the status of a payment that its chain's node cannot look up. */
function statusOf(fault: ReferenceCheck['fault'], signed: object = {}) {
  const payment = { kind: 'payout', reference: 'r', transaction: null, isAbandoned: false } as const;
  const transfer = { ...newTransfer(terms), state: 'signing', payment } as const;
  const begun = { terms, transfer, settings: { source: vault, destination: vault }, commitment: 'c', signed };
  const ports = {
    chains: {
      statusOf: async () => {
        throw new Error('a reference of another chain');
      },
      checkReference: async (): Promise<ReferenceCheck> => ({ fault, spends: [] }),
    },
  } as unknown as TransferPorts;
  return new TransferPayments({ store: { begun } } as unknown as PayingTransfer).status(ports);
}

test('a payment whose reference is wrong for good goes to signers, who say that it is void; any other waits for its chain', async () => {
  const reason = 'its block is none';
  expect(await statusOf({ reason, isForGood: true })).toEqual({ state: 'unspent' });
  for (const fault of [{ reason, isForGood: false }, null])
    await expect(statusOf(fault)).rejects.toThrow('another chain');
  await expect(statusOf({ reason, isForGood: true }, { 'payout r': { raw: 'raw' } })).rejects.toThrow('another chain');
});
