import { afterEach, expect, test, vi } from 'vitest';
import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { SigningJob } from '../../domain/bridge/signing/bridge-signer.ts';
import { newTransfer, type Transfer } from '../../domain/bridge/transfer.ts';
import type { Place, TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { bridgeMovementId } from '../../domain/ledger/bridge-movement-id.ts';
import type { TransferPorts } from './ports.ts';
import { type PayingTransfer, TransferPayments } from './transfer-payments.ts';

afterEach(() => void vi.useRealTimers());

const keys = { scheme: 'multisig-secp256k1', groupKey: '', signerKeys: [] } as const;
const vault: Vault = { chain: 'litecoin', network: 'mainnet', keys, contract: null, token: null, decimals: 8 };
const at = (address: string): Place => ({ kind: 'chain', chain: 'litecoin', address });
const terms: TransferTerms = {
  id: 't',
  organization: 'acme',
  asset: 'LTC',
  source: at('from'),
  destination: at('to'),
  amountIn: '10',
  amountOut: '9',
  amount: 10,
  fee: 1,
  expiresAt: 1,
};

const UNKNOWN = 'too few signers know its reference';

/** A transfer whose signers know its reference, or not: the fault is why not. */
function transferOf(kind: 'payout' | 'refund', heard: { fault: string | null; wait_ms?: number }, isToAccount = false) {
  const state: Transfer['state'] = kind === 'payout' ? 'signing' : 'refundable';
  const funds = { reference: 'in', amount: '10', cameAt: 1, isLost: false };
  const transfer: Transfer = { ...newTransfer(terms), state, funds };
  const settings = { source: vault, destination: isToAccount ? null : vault };
  const destination: Place = isToAccount ? { kind: 'account', account: 'alice' } : terms.destination;
  const begun = {
    terms: { ...terms, destination },
    transfer,
    settings,
    commitment: 'c',
    announced: [],
    attempts: 1,
    coSignature: 'co',
  };
  const happened: unknown[] = [];
  const asked: SigningJob[] = [];
  const ports = {
    watcher: async () => ({
      ended: async () => undefined,
      referenceFor: async () => ({ reference: 'r' }),
      takeBack: async ({ commitment, kind: of, reference }: PaymentOrder) =>
        void happened.push(['taken back', commitment, of, reference]),
    }),
    cluster: {
      referenceFault: async (job: SigningJob) => {
        asked.push(job);
        return heard.fault;
      },
    },
    chains: { payeeFault: async () => null, payeeMemoFault: async () => null },
  } as unknown as TransferPorts;
  const of = {
    store: { begun, save: async (change: object) => void Object.assign(begun, change) },
    happened: async (event: unknown) => void happened.push(event),
    waitFor: (reason: string) => void happened.push(reason),
    nextRefund: () => 0,
    unknownWait_ms: () => heard.wait_ms ?? 0,
    point: () => undefined,
  } as unknown as PayingTransfer;
  return { asked, happened, fix: async () => new TransferPayments(of).fix(ports) };
}

/** What a transfer does with a reference, as its signers know it or not. */
async function fixed(...of: Parameters<typeof transferOf>) {
  const { fix, ...seen } = transferOf(...of);
  await fix();
  return seen;
}

test.each([
  ['payout', 'destination', 'to', '9'],
  ['refund', 'source', 'from', '10'],
] as const)('a reference of a %s is fixed once three signers know it', async (kind, side, to, amount) => {
  const known = await fixed(kind, { fault: null });
  expect(known.happened).toEqual([{ type: 'payment_fixed', reference: 'r' }]);
  const payment = { kind, commitment: 'c', reference: 'r', to, amount };
  expect(known.asked).toEqual([{ terms, payment, side, coSignature: 'co' }]);
  // Of an indexer that has made it up: nobody could sign it, and nobody could say that it is void.
  const unknown = await fixed(kind, { fault: UNKNOWN });
  expect(unknown.asked).toHaveLength(1);
  expect(unknown.happened).toEqual([UNKNOWN, ['taken back', 'c', kind, 'r']]);
});

test('a reference that names the newest block is kept for signers whose nodes are a moment behind', async () => {
  vi.useFakeTimers();
  const heard: { fault: string | null; wait_ms: number } = { fault: UNKNOWN, wait_ms: 60_000 };
  const { happened, fix } = transferOf('payout', heard);
  for (const seconds of [0, 15, 44]) {
    vi.advanceTimersByTime(seconds * 1_000);
    await fix();
  }
  expect(happened).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
  heard.fault = null;
  await fix();
  expect(happened.at(-1)).toEqual({ type: 'payment_fixed', reference: 'r' });
  // Of one that nobody knows for so long another is chosen, which is kept as long.
  heard.fault = UNKNOWN;
  happened.length = 0;
  vi.advanceTimersByTime(1_000);
  await fix();
  expect(happened).toEqual([UNKNOWN, ['taken back', 'c', 'payout', 'r']]);
  await fix();
  expect(happened.slice(2)).toEqual([UNKNOWN]);
});

test('what the ledger pays to an account has no reference of a chain, and nobody is asked', async () => {
  const { asked, happened } = await fixed('payout', { fault: UNKNOWN }, true);
  expect([asked, happened]).toEqual([[], [{ type: 'payment_fixed', reference: bridgeMovementId('t', 'payout') }]]);
});
