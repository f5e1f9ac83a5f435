import { randomBytes } from 'node:crypto';
import { OutScript } from '@scure/btc-signer/payment.js';
import { utxoAdapter } from '../../../domain/bridge/chains/bitcoin/utxo-adapter.ts';
import { addressOf, utxoNetwork, utxoScript } from '../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import { cardano } from '../../../domain/bridge/chains/cardano/cardano.ts';
import { addressOfKey } from '../../../domain/bridge/chains/cardano/cardano-address.ts';
import { cardanoAddress } from '../../../domain/bridge/chains/cardano/cardano-key.ts';
import type {
  ChainAdapter,
  ChainTransport,
  MessageSignature,
  PaymentOrder,
  Vault,
} from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import type { ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import type { PaidOutTransfer, SigningJob } from '../../../domain/bridge/signing/bridge-signer.ts';
import { ORGANIZATION } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { ChainEyes } from '../../../domain/bridge/signing/chain-eyes.ts';
import { signPayment } from '../../../domain/bridge/signing/coordinator.ts';
import { clusterKeys } from '../../../domain/bridge/signing/key-share.ts';
import { debitDigest, paymentDigest } from '../../../domain/bridge/signing/payment-digest.ts';
import { SignerHost } from '../../../domain/bridge/signing/signer-host.ts';
import { testCluster } from '../../../domain/bridge/signing/signing.fixtures.ts';
import { type TransferTerms, termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { CardanoChain } from '../../node/bridge/chains-utxo/cardano-chain.ts';
import { CASH_RULES } from '../../node/bridge/chains-utxo/cash-rules.ts';
import { SimulatedChain } from '../../node/bridge/chains-utxo/simulated-chain.ts';

export type OutputChain = Extract<
  ChainName,
  'bitcoin-taproot' | 'bitcoin-segwit' | 'bitcoin-legacy' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'cardano'
>;
export const OUTPUT_CHAINS: readonly OutputChain[] = [
  'bitcoin-taproot',
  'bitcoin-segwit',
  'bitcoin-legacy',
  'litecoin',
  'dogecoin',
  'bitcoin-cash',
  'cardano',
];
export const KINDS = ['payout', 'refund', 'cancel'] as const;
export type Kind = (typeof KINDS)[number];

/** A coin in the units that tests count by: large enough for every chain's least output. */
export const COIN = 100_000_000n;
/** Above what a payout of any of these chains costs: 0.4 ADA is the most. */
const FEE = COIN / 2n;

/** What a reference of a chain with outputs says of one input, whatever the chain calls it. */
export interface StatedInput {
  readonly txid: string;
  readonly value: bigint;
  readonly commitment: string | null;
}

/** What differs between the two adapters of chains with outputs. */
interface Family {
  readonly adapter: ChainAdapter;
  readonly transport: ChainTransport;
  readonly payee: string;
  /** Pays an address of the vault (null), of a transfer, or of a stranger. @returns the transaction */
  pay(to: string | null | 'stranger', value: bigint): string;
  mine(blocks?: number): void;
  /** The inputs of a reference, changed. */
  changed(reference: string, change: (inputs: StatedInput[]) => StatedInput[]): string;
  /** An address's unspent outputs as an indexer tells them, each worth a hundredth. */
  lying(): ChainTransport;
}

function bitcoinFamily(vault: Vault): Family {
  const node = new SimulatedChain(vault.chain === 'bitcoin-cash' ? CASH_RULES : undefined);
  node.addressOf = (script) => addressOf(script, utxoNetwork(vault));
  const stranger = OutScript.encode({ type: 'pkh', hash: randomBytes(20) });
  return {
    adapter: utxoAdapter(vault.chain),
    transport: node.transport,
    payee: addressOf(OutScript.encode({ type: 'pkh', hash: randomBytes(20) }), utxoNetwork(vault)),
    pay: (to, value) => node.pay(to === 'stranger' ? stranger : utxoScript(vault, to).script, value),
    mine: (blocks = 100) => node.mine(blocks),
    changed(reference, change) {
      const { inputs, ...rest } = JSON.parse(reference) as { inputs: { txid: string; vout: number; value: string }[] };
      const stated = change(inputs.map(({ value, ...of }) => ({ ...of, value: BigInt(value) }) as never));
      const written = stated.map(({ txid, value, commitment }) => ({
        txid,
        vout: 0,
        value: String(value),
        commitment,
      }));
      return JSON.stringify({ inputs: written, ...rest });
    },
    lying: () => ({
      ...node.transport,
      async get(path) {
        const answer = await node.transport.get(path);
        if (!path.endsWith('/utxo')) return answer;
        return (answer as { value: number }[]).map((one) => ({ ...one, value: Math.floor(one.value / 100) }));
      },
    }),
  };
}

function cardanoFamily(vault: Vault): Family {
  const node = new CardanoChain();
  const stranger = addressOfKey('7'.repeat(64), vault.network);
  return {
    adapter: cardano,
    transport: node.transport,
    payee: addressOfKey('9'.repeat(64), vault.network),
    pay: (to, value) => node.pay(to === 'stranger' ? stranger : cardanoAddress(vault, to), { lovelace: value }),
    mine: (blocks = 100) => node.mine(blocks),
    changed(reference, change) {
      const { inputs, ...rest } = JSON.parse(reference) as { inputs: { tx: string; lovelace: string }[] };
      const stated = change(
        inputs.map(({ tx, lovelace, ...of }) => ({ ...of, txid: tx, value: BigInt(lovelace) }) as never),
      );
      const written = stated
        .map(({ txid, value, commitment }) => ({
          tx: txid,
          index: 0,
          lovelace: String(value),
          quantity: '0',
          commitment,
        }))
        .toSorted((one, other) => (one.tx < other.tx ? -1 : 1));
      return JSON.stringify({ inputs: written, ...rest });
    },
    lying: () => ({
      ...node.transport,
      async get(path) {
        const answer = await node.transport.get(path);
        if (!path.includes('/utxos?')) return answer;
        const all = answer as { amount: { unit: string; quantity: string }[] }[];
        return all.map((one) => ({
          ...one,
          amount: one.amount.map(({ unit, quantity }) => ({ unit, quantity: String(BigInt(quantity) / 100n) })),
        }));
      },
    }),
  };
}

let made = 0;

/** Five honest signers with a node of their own that tells the truth. What the guard lists is what the test has put there. */
export async function outputSigners(chain: OutputChain) {
  const scheme = chain === 'cardano' ? 'frost-ed25519' : utxoAdapter(chain).scheme;
  const { cluster, memories } = await testCluster(scheme);
  const network = chain === 'cardano' ? 'testnet' : 'mainnet';
  const vault: Vault = { chain, network, keys: clusterKeys(cluster), contract: null, token: null, decimals: 8 };
  const family = chain === 'cardano' ? cardanoFamily(vault) : bitcoinFamily(vault);
  const listed: string[] = [];
  /** What the guard shows for which transfer first. */
  const shown = new Map<string, string[]>();
  /** Transfers whose payout the ledger has made. */
  const paidByLedger: string[] = [];
  const calls = chainCalls({
    transportOf: () => family.transport,
    custodyOf: () => family.transport,
    relayer: null,
  });
  const ledger = {
    debit: async ({ id, amountIn }: TransferTerms) => [{ reference: id, amount: amountIn, confirmations: 1 }],
    voidPayout: async () => true,
    hasPaidOut: async ({ id }: TransferTerms) => paidByLedger.includes(id),
  };
  const eyes = new ChainEyes({
    chains: {
      ...calls,
      clearance: async () => ({ amount: Number(COIN), clearAt: 0, isVetoed: false }),
      announced: async (_, of) => shown.get(of) ?? listed,
    },
    ledger,
    placesOf: async ({ source, destination }) => ({
      source: source.kind === 'chain' ? vault : null,
      destination: destination.kind === 'chain' ? vault : null,
      guard: `0x${'11'.repeat(20)}`,
      stake: null,
      scale: 8,
      coSignFrom: null,
      moduleKeys: [],
    }),
  });
  const signers = memories.map(
    (memory, number) => new SignerHost({ organization: ORGANIZATION, number, memory, eyes, now: () => Date.now() }),
  );

  /** Terms of a transfer that the vault pays out, or that was paid in to it. */
  function terms(of: 'outward' | 'inward'): TransferTerms {
    made += 1;
    const there = { kind: 'chain', chain, address: family.payee } as const;
    const account = { kind: 'account', account: 'customer' } as const;
    return {
      id: `0192f0c1-2f3a-7000-8000-${String(made).padStart(12, '0')}`,
      organization: ORGANIZATION,
      asset: 'COIN',
      source: of === 'inward' ? there : account,
      destination: of === 'inward' ? account : there,
      amountIn: String(COIN),
      amountOut: String(COIN - FEE),
      amount: Number(COIN),
      fee: Number(FEE),
      expiresAt: Date.now() + 60_000,
    };
  }

  const view = (deposited: readonly string[] = [], transport = family.transport) => ({
    vault,
    transport,
    relayer: null,
    deposited,
  });

  /** The payment of a transfer as its coordinator chooses it. */
  async function payment(
    of: TransferTerms,
    { deposited = [] as readonly string[], transport = family.transport } = {},
  ): Promise<PaymentOrder> {
    const isRefund = of.source.kind === 'chain';
    const order = {
      kind: isRefund ? 'refund' : 'payout',
      commitment: termsCommitment(of),
      to: family.payee,
      amount: isRefund ? of.amountIn : of.amountOut,
    } as const;
    const reference = await family.adapter.referenceFor(view(deposited, transport), { ...order, attempt: 0 }, []);
    return { ...order, reference };
  }

  /** A job for a payment, or for what cancels it; the guard lists the payment. */
  function job(of: TransferTerms, order: PaymentOrder, isCancel = false, paidOut: PaidOutTransfer[] = []): SigningJob {
    const side = order.kind === 'refund' ? 'source' : 'destination';
    listed.push(paymentDigest(side, order));
    shown.set(debitDigest(of), [...(shown.get(debitDigest(of)) ?? []), termsCommitment(of)]);
    const cancelled = { ...order, kind: 'cancel', to: '', amount: '0' } as const;
    const earlier = isCancel ? [{ side, payment: order } as const] : [];
    return { terms: of, payment: isCancel ? cancelled : order, side, coSignature: null, earlier, paidOut };
  }

  /** How many of the five would sign it, and what the others say. */
  async function asked(of: SigningJob): Promise<{ readonly willing: number; readonly reasons: readonly string[] }> {
    const answers = await Promise.all(signers.map((signer) => signer.offer(of, randomBytes(8).toString('hex'))));
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.reason]));
    return { willing: answers.length - refused.length, reasons: [...new Set(refused)] };
  }

  async function signed(of: SigningJob): Promise<readonly MessageSignature[]> {
    const outcome = await signPayment({
      cluster,
      signers,
      job: of,
      unsigned: family.adapter.build(vault, of.payment),
      newSession: () => randomBytes(8).toString('hex'),
    });
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome.signatures;
  }

  /** Signs, hands in, and has it in a block. */
  async function paid(of: SigningJob): Promise<void> {
    await family.adapter.broadcast(view(), family.adapter.complete(vault, of.payment, await signed(of)));
    family.mine();
  }

  return { ...family, vault, listed, paidByLedger, signers, terms, view, payment, job, asked, signed, paid };
}

export type OutputScene = Awaited<ReturnType<typeof outputSigners>>;
