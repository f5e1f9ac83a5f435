import type {
  Deposit,
  PaymentOrder,
  PaymentStatus,
  ReferenceCheck,
  SigningScheme,
  UnsignedPayment,
} from '../chains/chain-adapter.ts';
import type { MemoFault } from '../chains/memo-fault.ts';
import type { TransferPlaces } from '../places/transfer-places.ts';
import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import type { BridgeSigner, SigningJob } from './bridge-signer.ts';
import { makeTerms, ORGANIZATION, testSigners } from './ceremony/ceremony.fixtures.ts';
import { runCeremony } from './ceremony/run-ceremony.ts';
import { clusterKeys, type PublicCluster, tweakableKey } from './key-share.ts';
import { PlainMemory } from './memory/plain-memory.fixtures.ts';
import type { Clearance, SignerEyes, StakePlace } from './signer-eyes.ts';
import { SignerHost } from './signer-host.ts';
import { statementDigest } from './signer-identity.ts';
import { transferTweak } from './transfer-tweak.ts';

export const NOW = 1_800_000_000_000;

export const TERMS: TransferTerms = {
  id: '0192f0c1-2f3a-7000-8000-000000000001',
  organization: ORGANIZATION,
  asset: 'BTC',
  source: { kind: 'chain', chain: 'exchange', address: '0xalice' },
  destination: { kind: 'chain', chain: 'bitcoin-taproot', address: 'bc1alice' },
  amountIn: '100000000',
  amountOut: '99900000',
  amount: 100_000_000,
  fee: 100_000,
  expiresAt: NOW + 60_000,
};

export const PAYOUT: PaymentOrder = {
  kind: 'payout',
  commitment: termsCommitment(TERMS),
  reference: 'nonce-1',
  to: 'bc1alice',
  amount: TERMS.amountOut,
};
export const REFUND: PaymentOrder = {
  ...PAYOUT,
  kind: 'refund',
  reference: 'nonce-back',
  to: '0xalice',
  amount: TERMS.amountIn,
};
export const CANCEL: PaymentOrder = { ...PAYOUT, kind: 'cancel', to: '', amount: '0' };

export const JOB: SigningJob = { terms: TERMS, payment: PAYOUT, side: 'destination', coSignature: null };
export const REFUND_JOB: SigningJob = { ...JOB, payment: REFUND, side: 'source' };

/** What all signers of a test see. */
export class World implements SignerEyes {
  now = NOW;
  deposits: Deposit[] = [{ reference: 'burn-1', amount: TERMS.amountIn, confirmations: 6 }];
  /** What others than the payer of the terms have paid in. */
  others: Deposit[] = [];
  cleared: Clearance | null = { amount: TERMS.amount, clearAt: NOW, isVetoed: false };
  /** What the guard shows; null for no list. */
  payments: readonly string[] | null = null;
  /** By reference. */
  readonly statuses = new Map<string, PaymentStatus>();
  readonly cluster: PublicCluster;
  coSignFrom = Number.POSITIVE_INFINITY;
  messages = 2;
  staked: StakePlace | null = null;
  wrapped = 'wrapped';
  /** What lies in the transfer's own account. */
  there = '0';
  /** Whether the destination is on a chain. */
  isOut = true;
  readonly built: PaymentOrder[] = [];
  /** Why who is paid cannot be paid so. */
  fault: MemoFault | null = null;
  isPaidByLedger = false;
  /** Whether somebody gives the vault's contract another key. */
  isRecovered = false;
  /** What the node says of every reference. */
  reference: ReferenceCheck = { fault: null, spends: [] };
  /** Transfers whose payout the ledger was made to refuse for good. */
  readonly voided: string[] = [];
  /** What fails while it is set. */
  isBlind = false;
  /** Whether strangers have paid in so much that a deposit is found by its reference alone. */
  isFlooded = false;

  constructor(cluster: PublicCluster) {
    this.cluster = cluster;
  }

  async places(): Promise<TransferPlaces> {
    if (this.isBlind) throw new Error('the node is away');
    const shared = { network: 'local', keys: clusterKeys(this.cluster), token: null, decimals: 8 } as const;
    return {
      source: { ...shared, chain: 'exchange', contract: this.wrapped },
      destination: this.isOut ? { ...shared, chain: 'bitcoin-taproot', contract: null } : null,
      guard: 'guard',
      scale: 8,
    };
  }

  async funds(_terms: TransferTerms, from?: string, known: readonly string[] = []): Promise<Deposit[]> {
    if (this.isBlind) throw new Error('the node is away');
    const isSeen = ({ reference }: Deposit) => !this.isFlooded || known.includes(reference);
    return from === undefined ? this.deposits.filter(isSeen) : this.others.filter(({ payer }) => payer === from);
  }

  async sweepable(): Promise<string> {
    return this.there;
  }

  async voidPayout({ id }: TransferTerms): Promise<boolean> {
    if (this.isPaidByLedger) return false;
    this.voided.push(id);
    return true;
  }

  async hasPaidOut(): Promise<boolean> {
    return this.isPaidByLedger;
  }

  async isRecovering(): Promise<boolean> {
    return this.isRecovered;
  }

  async checkReference(_?: TransferTerms, __?: string, ___?: PaymentOrder): Promise<ReferenceCheck> {
    return this.reference;
  }

  confirmationsNeeded(): number {
    return 6;
  }

  async clearance(): Promise<Clearance | null> {
    return this.cleared;
  }

  async announced(_: TransferTerms = TERMS): Promise<readonly string[] | null> {
    return this.payments;
  }

  async shownFor(terms: TransferTerms, _transaction: string): Promise<readonly (string | null)[] | null> {
    return [termsCommitment(terms)];
  }

  async status(_: TransferTerms, __: string, { reference }: PaymentOrder): Promise<PaymentStatus> {
    return this.statuses.get(reference) ?? { state: 'unspent' };
  }

  async payeeMemoFault(): Promise<MemoFault | null> {
    return this.fault;
  }

  /** The first message for the cluster's key, the others for that of the transfer. */
  async build(_: TransferTerms, side: string, payment: PaymentOrder): Promise<UnsignedPayment> {
    this.built.push(payment);
    if (payment.reference === 'impossible') throw new RangeError('no such reference');
    const keys = clusterKeys(this.cluster);
    const tweak = transferTweak(keys.scheme, tweakableKey(keys), payment.commitment);
    const messages = Array.from({ length: this.messages }, (__, index) => ({
      bytes: statementDigest([side, payment.kind, payment.reference, payment.to, payment.amount, index]),
      tweak: index === 0 ? null : tweak,
    }));
    return { messages };
  }

  async vaultKeys() {
    return clusterKeys(this.cluster);
  }

  async stake() {
    return this.staked;
  }

  async isCoSigned(_: TransferTerms, coSignature: string): Promise<boolean> {
    return coSignature === 'by the module';
  }

  needsCoSignature({ amount }: TransferTerms): boolean {
    return amount >= this.coSignFrom;
  }
}

/** Five signers that have made a key, over disks that a test may look into. */
export interface TestCluster {
  readonly cluster: PublicCluster;
  readonly world: World;
  readonly memories: readonly PlainMemory[];
  readonly signers: BridgeSigner[];
  restarted(number: number): SignerHost;
}

const made = new Map<SigningScheme, Promise<{ cluster: PublicCluster; memories: readonly PlainMemory[] }>>();

async function newCluster(scheme: SigningScheme) {
  const signers = testSigners();
  const outcome = await runCeremony(await makeTerms(signers, scheme), signers.hosts, signers.hosts);
  if (!outcome.ok) throw new Error('the ceremony failed');
  return { cluster: outcome.cluster, memories: signers.memories };
}

/** The key is made once a scheme; the disks are new each time. */
export async function testCluster(scheme: SigningScheme = 'frost-secp256k1'): Promise<TestCluster> {
  const known = made.get(scheme) ?? newCluster(scheme);
  made.set(scheme, known);
  const { cluster, memories: originals } = await known;
  const memories = originals.map((original) => {
    const copy = new PlainMemory();
    for (const [key, text] of original.records) copy.records.set(key, text);
    return copy;
  });
  const world = new World(cluster);
  const restarted = (number: number) =>
    new SignerHost({
      organization: ORGANIZATION,
      number,
      memory: memories[number] as PlainMemory,
      eyes: world,
      now: () => world.now,
    });
  const signers = memories.map((_, number) => restarted(number));
  return { cluster, world, memories, signers, restarted };
}
