import { isDeepStrictEqual } from 'node:util';
import {
  type ChainTransport,
  type ChainView,
  InsufficientFunds,
  type MessageSignature,
  type PaymentOrder,
  type PaymentStatus,
  type SignedPayment,
  type Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../../domain/bridge/chains/chain-calls.ts';
import { CHAINS_OF_OUTPUTS, EXCHANGE_CHAIN } from '../../../../domain/bridge/chains/chain-name.ts';
import { quoteTerms } from '../../../../domain/bridge/lane-terms.ts';
import { movementNames } from '../../../../domain/bridge/ledger-movement.ts';
import { isEnough } from '../../../../domain/bridge/places/transfer-places.ts';
import { type Quote, type QuoteTerms, quoteOf } from '../../../../domain/bridge/quote.ts';
import type {
  BridgeSigner,
  NonceOffer,
  PaidOutTransfer,
  SignerShare,
  SigningJob,
} from '../../../../domain/bridge/signing/bridge-signer.ts';
import { ORGANIZATION } from '../../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { ChainEyes, type KnownPlaces } from '../../../../domain/bridge/signing/chain-eyes.ts';
import { frostSignature } from '../../../../domain/bridge/signing/frost-signing.ts';
import {
  clusterKeys,
  type KeyShare,
  type PublicCluster,
  tweakedCluster,
} from '../../../../domain/bridge/signing/key-share.ts';
import { sharesOf } from '../../../../domain/bridge/signing/memory/key-ring.ts';
import type { SignerMemory } from '../../../../domain/bridge/signing/memory/signer-memory.ts';
import { debitDigest, paymentDigest, transactionDigest } from '../../../../domain/bridge/signing/payment-digest.ts';
import { SignerHost } from '../../../../domain/bridge/signing/signer-host.ts';
import { NOW, testCluster } from '../../../../domain/bridge/signing/signing.fixtures.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../../../domain/bridge/transfer.ts';
import { type TransferTerms, termsCommitment } from '../../../../domain/bridge/transfer-terms.ts';
import { bridgeMovementId } from '../../../../domain/ledger/bridge-movement-id.ts';
import type { Holdings, LiarChain, LiarScene } from './liar-chain.ts';
import { LyingSigner } from './lying-signer.ts';

/** Amounts of the ledger have no more decimals. */
export const SCALE_MAX = 8;
/** Deeper than any chain asks for. */
const MINTED_DEPTH = 1_000;
/** Some references have to be made before they are given. */
const REFERENCE_TRIES = 3;

/** A transfer that stands in the coordinator's books. Whether it is one is for ledger, chain and guard to say. */
export interface Transfer {
  readonly terms: TransferTerms;
  readonly commitment: string;
  readonly vault: Vault;
  /** `out`: from an account to the chain. `in`: the other way. */
  readonly way: 'out' | 'in';
  /** The ledger shows its debit; of one that comes in, that it was paid to the account. */
  readonly isBooked: boolean;
  readonly isCleared: boolean;
  /** What has come for it, by token; nothing for one that goes out. */
  came: Holdings;
}

/** An order that three have signed. */
export interface SignedOrder {
  readonly transfer: Transfer;
  readonly order: PaymentOrder;
  readonly signatures: readonly MessageSignature[];
  readonly payment: SignedPayment;
  isHandedIn: boolean;
}

/** How many lie, whom to ask first, and whether vaults begin without funds. */
interface LiarCase {
  readonly liars: number;
  readonly first: number;
  readonly isEmpty?: boolean;
}

/**
 * One chain, a ledger and a guard that tell the truth, five signers of which the last so many lie, and whatever a coordinator can do with them: it states transfers, has the guard list what it
 * likes, asks signers in any order, keeps every signature and hands in what it wants.
 */
export class LiarWorld {
  readonly chain: LiarChain;
  readonly scene: LiarScene;
  readonly transfers: Transfer[] = [];
  readonly orders: (Pick<SignedOrder, 'transfer' | 'order'> & { readonly side: SigningJob['side'] })[] = [];
  readonly signed: SignedOrder[] = [];
  readonly honest: readonly SignerHost[];
  readonly #askable: readonly Pick<BridgeSigner, 'offer' | 'sign'>[];
  readonly #cluster: PublicCluster;
  readonly #listed = new Map<string, string[]>();
  readonly #chains: ReturnType<typeof chainCalls>;
  /** Whom to ask first. */
  readonly #first: number;
  /** What an honest coordinator quotes by, and signers hold payouts to. */
  readonly #lanes = new Map<Vault, QuoteTerms>();
  #sessions = 0;
  #before: Holdings = {};

  private constructor(
    chain: LiarChain,
    cluster: PublicCluster,
    memories: readonly SignerMemory[],
    { liars, first, isEmpty = false }: LiarCase,
  ) {
    this.chain = chain;
    this.scene = chain.open(clusterKeys(cluster), isEmpty);
    this.#cluster = cluster;
    this.#first = first;
    const { transport, relayer } = this.scene;
    this.#chains = chainCalls({ transportOf: () => transport, custodyOf: () => transport, relayer });
    const eyes = new ChainEyes({
      chains: {
        ...this.#chains,
        clearance: async (_, commitment) => {
          const transfer = this.#transferOf(commitment);
          return transfer?.isCleared === true ? { amount: transfer.terms.amount, clearAt: 0, isVetoed: false } : null;
        },
        announced: async (_, commitment) => this.#listed.get(commitment) ?? [],
        statusOf: async (vault, order, made) =>
          vault.chain === EXCHANGE_CHAIN ? this.#minted(order) : this.#chains.statusOf(vault, order, made),
      },
      ledger: this.#ledger(),
      placesOf: async (terms) => this.#placesOf(terms),
    });
    this.honest = memories
      .slice(0, CLUSTER_SIZE - liars)
      .map((memory, number) => new SignerHost({ organization: ORGANIZATION, number, memory, eyes, now: () => NOW }));
    const lying = memories.slice(CLUSTER_SIZE - liars).map((memory) => {
      const [share] = sharesOf(memory, cluster.scheme);
      return new LyingSigner(share as KeyShare, ({ terms, payment }) => this.#built(terms, payment));
    });
    this.#askable = [...this.honest, ...lying];
  }

  static async open(chain: LiarChain, who: LiarCase): Promise<LiarWorld> {
    const { cluster, memories } = await testCluster(chain.adapter.scheme);
    const world = new LiarWorld(chain, cluster, memories, who);
    for (const vault of world.scene.vaults) world.#lanes.set(vault, await world.#laneOf(vault));
    world.#before = await world.scene.held([]);
    return world;
  }

  /** A transfer from an account to the chain, truly owed or made up. */
  begin(
    vaultIndex: number,
    to: string,
    units: bigint,
    stands: { readonly isBooked: boolean; readonly isCleared: boolean },
  ): Transfer {
    return this.#state(vaultIndex, 'out', to, units, stands);
  }

  /**
   * Other terms by the debit of a transfer: of its id, or of the id that its debit has. No debit is theirs.
   */
  beginAgain({ terms, commitment, vault }: Transfer, to: string, isByDebit: boolean): Transfer {
    const destination = { kind: 'chain', chain: vault.chain, address: to } as const;
    const id = isByDebit ? bridgeMovementId(terms.id, 'debit', commitment) : terms.id;
    const again = { ...terms, id, destination };
    const stands = { isBooked: false, isCleared: true, came: {} };
    const transfer: Transfer = { terms: again, commitment: termsCommitment(again), vault, way: 'out', ...stands };
    this.transfers.push(transfer);
    return transfer;
  }

  /** A transfer from the chain to an account, or to wrapped tokens, whose funds have come. */
  async payIn(units: bigint, isBooked: boolean, isWrapped = false): Promise<Transfer> {
    // Simulated nodes know deposits of one asset: the token's, where there is one.
    const stands = { isBooked, isCleared: true, isWrapped };
    const stated = this.#state(this.scene.vaults.length - 1, 'in', this.scene.payer, units, stands);
    const { terms } = stated;
    const before = await this.#held();
    await this.#payTo(stated, BigInt(terms.amountIn));
    this.scene.settle();
    const transfer = { ...stated, came: difference(await this.#held(), before) };
    this.transfers.splice(this.transfers.indexOf(stated), 1, transfer);
    return transfer;
  }

  /** More comes for a transfer, of whoever pays in: what one payment of it gives back leaves the rest where it is. */
  async payInAgain(transfer: Transfer, units: bigint): Promise<void> {
    const before = await this.#held();
    await this.#payTo(transfer, units);
    this.scene.settle();
    transfer.came = added(transfer.came, difference(await this.#held(), before));
  }

  /** Funds that are not deep when something is ordered by them, and gone then: nothing is owed for them. */
  async payInForAMoment(units: bigint, orders: (transfer: Transfer) => Promise<void>): Promise<void> {
    const { shallow } = this.scene;
    if (shallow === undefined) return;
    this.scene.settle();
    const transfer = this.#state(this.scene.vaults.length - 1, 'in', this.scene.payer, units, {
      isBooked: false,
      isCleared: true,
    });
    await this.#payTo(transfer, BigInt(transfer.terms.amountIn));
    shallow.mine();
    await orders(transfer);
    shallow.reorganize();
  }

  async #payTo({ vault, commitment }: Transfer, units: bigint): Promise<void> {
    const place = await this.chain.adapter.depositPlace(this.viewOf(vault), commitment, String(units));
    this.scene.payIn(vault, place, units);
  }

  /** @returns null where the vault, or what the node says of it, gives none */
  async referenceFor(
    transfer: Transfer,
    order: Omit<PaymentOrder, 'reference'>,
    { taken, transport }: { readonly taken: readonly string[]; readonly transport?: ChainTransport },
  ): Promise<string | null> {
    const { vault } = transfer;
    const deposited = this.transfers.filter(({ way, isBooked }) => way === 'in' && isBooked);
    const view: ChainView = {
      ...this.viewOf(vault),
      transport: transport ?? this.scene.transport,
      deposited: deposited.map(({ commitment }) => commitment),
    };
    for (let tries = REFERENCE_TRIES; tries > 0; tries -= 1) {
      try {
        return await this.chain.adapter.referenceFor(view, { ...order, attempt: this.#sessions }, taken);
      } catch (error) {
        if (error instanceof InsufficientFunds) return null;
      }
    }
    return null;
  }

  /** What an order of a kind is, as terms and funds say it. */
  orderOf({ terms, commitment, way }: Transfer, kind: PaymentOrder['kind']): Omit<PaymentOrder, 'reference'> {
    if (kind === 'cancel') return { kind, commitment, to: '', amount: '0' };
    if (kind === 'sweep') return { kind, commitment, to: '', amount: terms.amountIn };
    const place = way === 'out' ? terms.destination : terms.source;
    const to = place.kind === 'chain' ? place.address : '';
    return { kind, commitment, to, amount: way === 'out' ? terms.amountOut : terms.amountIn };
  }

  /** Asks signers until three have signed. @returns null where they do not */
  async sign(transfer: Transfer, order: PaymentOrder, isListed = true): Promise<SignedOrder | null> {
    const side = transfer.way === 'out' ? 'destination' : 'source';
    const { commitment } = transfer;
    if (isListed && order.kind !== 'cancel') {
      this.#list(commitment, paymentDigest(side, order));
      this.#show(transfer, order);
    }
    const earlier = this.orders
      .filter((one) => one.transfer === transfer && one.order.kind !== 'cancel')
      .map((one) => ({ side: one.side, payment: one.order }));
    this.orders.push({ transfer, order, side });
    // Told of all that came in: which of them were paid on, signers see for themselves.
    const paidOut = this.transfers.filter(({ way }) => way === 'in').map(paidOutOf);
    const told = { terms: transfer.terms, payment: order, side, coSignature: null, earlier, paidOut } as const;
    const job: SigningJob = told;
    try {
      const signatures = await this.#signatures(job);
      if (signatures === null) return null;
      const payment = this.chain.adapter.complete(transfer.vault, order, signatures);
      const signed = { transfer, order, signatures, payment, isHandedIn: false };
      this.signed.push(signed);
      return signed;
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /** The chain says whether it takes it. */
  async handIn(signed: SignedOrder): Promise<void> {
    try {
      await this.chain.adapter.broadcast(this.viewOf(signed.transfer.vault), signed.payment);
      signed.isHandedIn = true;
    } catch {
      // Refused: it moved nothing.
    }
  }

  /** What can be made of all signatures together. */
  async handInCombined(): Promise<void> {
    const [{ vault } = { vault: this.scene.vaults[0] }] = this.transfers;
    for (const { raw, of } of this.scene.combined?.(this.signed) ?? []) {
      try {
        await this.chain.adapter.broadcast(this.viewOf(vault), { raw, transaction: null });
        for (const signed of of) signed.isHandedIn = true;
      } catch {
        // Refused.
      }
    }
  }

  /** What has left the vaults, by token. */
  async left(): Promise<Holdings> {
    const had = this.transfers.reduce((sum, { came }) => added(sum, came), this.#before);
    return difference(had, await this.#held());
  }

  #held(): Promise<Holdings> {
    return this.scene.held(this.transfers.map(({ commitment }) => commitment));
  }

  /** Whether the guard lists the payment that a cancellation is of. */
  isListed({ transfer, order }: SignedOrder): boolean {
    return this.orders.some(
      (one) =>
        one.transfer === transfer &&
        one.order.reference === order.reference &&
        this.#listed.get(transfer.commitment)?.includes(paymentDigest(one.side, one.order)) === true,
    );
  }

  viewOf(vault: Vault): ChainView {
    return { vault, transport: this.scene.transport, relayer: this.scene.relayer };
  }

  /** What the product names whoever keeps the references of a vault by. */
  referencesOf(vault: Vault): Promise<string> {
    return this.#chains.referencesOf(vault);
  }

  /** As a signer's own node says it. */
  async transactionPaying({ transfer, order }: SignedOrder): Promise<string | null> {
    try {
      const status = await this.#chains.statusOf(transfer.vault, order);
      return status.state === 'paid' ? status.transaction : null;
    } catch {
      return null;
    }
  }

  /** What has become of wrapped tokens that are owed: they are there, or not yet. */
  #minted({ commitment }: PaymentOrder): PaymentStatus {
    const isMinted = this.#transferOf(commitment)?.isBooked === true;
    return isMinted ? { state: 'paid', transaction: 'minted', confirmations: MINTED_DEPTH } : { state: 'unspent' };
  }

  /** The exchange's ledger, as each honest signer sees it. */
  #ledger() {
    const has = (terms: TransferTerms, purpose: 'debit' | 'payout') => {
      const way = purpose === 'debit' ? 'out' : 'in';
      const booked = this.transfers.filter((each) => each.isBooked && each.way === way);
      const rows = booked.map((each) => movementNames(each.terms, purpose)[0]);
      return movementNames(terms, purpose).some((name) => rows.some((row) => isDeepStrictEqual(row, name)));
    };
    return {
      debit: async (terms: TransferTerms) =>
        has(terms, 'debit') ? [{ reference: terms.id, amount: terms.amountIn, confirmations: 1 }] : [],
      voidPayout: async (terms: TransferTerms) => !has(terms, 'payout'),
      hasPaidOut: async (terms: TransferTerms) => has(terms, 'payout'),
    };
  }

  #state(
    vaultIndex: number,
    way: Transfer['way'],
    address: string,
    units: bigint,
    { isWrapped = false, ...stands }: Pick<Transfer, 'isBooked' | 'isCleared'> & { readonly isWrapped?: boolean },
  ): Transfer {
    const vault = this.scene.vaults[vaultIndex % this.scene.vaults.length] as Vault;
    const scale = Math.min(SCALE_MAX, vault.decimals);
    const amount = units / 10n ** BigInt(vault.decimals - scale);
    const onChain = String(amount * 10n ** BigInt(vault.decimals - scale));
    const quote = this.#quoteOf(vault, way, Number(amount));
    const account = isWrapped
      ? ({ kind: 'chain', chain: EXCHANGE_CHAIN, address: `0x${'a1'.repeat(20)}` } as const)
      : ({ kind: 'account', account: 'alice' } as const);
    const outside = { kind: 'chain', chain: vault.chain, address } as const;
    const terms: TransferTerms = {
      id: `0192f0c1-2f3a-7000-8000-${String(this.transfers.length).padStart(12, '0')}`,
      organization: ORGANIZATION,
      asset: `ASSET${this.scene.vaults.indexOf(vault)}`,
      source: way === 'out' ? account : outside,
      destination: way === 'out' ? outside : account,
      amountIn: way === 'out' ? String(amount) : onChain,
      amountOut: way === 'out' ? onChain : String(amount),
      amount: Number(amount),
      fee: 0,
      ...quote,
      expiresAt: NOW + 60_000,
    };
    const transfer = { terms, commitment: termsCommitment(terms), vault, way, ...stands, came: {} };
    this.transfers.push(transfer);
    return transfer;
  }

  /** Whether an honest coordinator begins it. */
  isQuoted({ terms }: Transfer): boolean {
    return isEnough(terms, this.#placesOf(terms));
  }

  /** Null for a transfer that no honest coordinator begins: a liar states one without a fee. */
  #quoteOf(vault: Vault, way: Transfer['way'], amount: number): Quote | null {
    const lane = this.#lanes.get(vault);
    if (lane === undefined || way === 'in') return null;
    const scale = Math.min(SCALE_MAX, vault.decimals);
    const quote = quoteOf(amount, lane, { ledger: scale, source: scale, destination: vault.decimals });
    return quote.ok ? quote.value : null;
  }

  /** Of a token nobody has said what the coin is worth: it takes whatever comes. */
  async #laneOf(vault: Vault): Promise<QuoteTerms> {
    const scale = Math.min(SCALE_MAX, vault.decimals);
    const terms = quoteTerms(
      { feeBps: 0, lane: undefined, scale, vault, paysOut: true },
      await this.#chains.payoutCost(vault),
    );
    return terms.ok ? terms.value : { feeBps: 0, flatFee: 0, leastAmount: 1 };
  }

  #transferOf(commitment: string): Transfer | undefined {
    return this.transfers.find((each) => each.commitment === commitment);
  }

  #placesOf({ asset, source, destination }: TransferTerms): KnownPlaces {
    const vault = this.scene.vaults[Number(asset.slice('ASSET'.length))] as Vault;
    return {
      source: source.kind === 'chain' ? vault : null,
      destination:
        destination.kind === 'account' ? null : destination.chain === EXCHANGE_CHAIN ? wrappedOf(vault) : vault,
      guard: `0x${'11'.repeat(20)}`,
      stake: null,
      scale: Math.min(SCALE_MAX, vault.decimals),
      // Of a coin whose fee is bounded signers know themselves what a payout costs.
      least: CHAINS_OF_OUTPUTS.includes(vault.chain) ? this.#lanes.get(vault) : undefined,
      coSignFrom: null,
      moduleKeys: [],
    };
  }

  #list(commitment: string, digest: string): void {
    const listed = this.#listed.get(commitment) ?? [];
    if (!listed.includes(digest)) this.#listed.set(commitment, [...listed, digest]);
  }

  /** For whom a transaction is, as the coordinator tells the guard. */
  #show({ terms, commitment, way }: Transfer, order: PaymentOrder): void {
    if (way === 'out') this.#list(debitDigest(terms), commitment);
    try {
      this.#list(transactionDigest(this.#built(terms, order)), commitment);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  #built(terms: TransferTerms, order: PaymentOrder) {
    const { source, destination } = this.#placesOf(terms);
    return this.chain.adapter.build((source ?? destination) as Vault, order);
  }

  /** Liars are asked first: with them, one honest signer less is needed. */
  async #signatures(job: SigningJob): Promise<readonly MessageSignature[] | null> {
    this.#sessions += 1;
    const session = `session-${this.#sessions}`;
    const honest = this.honest.map((_, index) => (index + this.#first) % this.honest.length);
    const lying = this.#askable.map((_, number) => number).slice(this.honest.length);
    const offers: NonceOffer[] = [];
    for (const number of [...lying, ...honest]) {
      if (offers.length === CLUSTER_THRESHOLD) break;
      const answer = await (this.#askable[number] as SignerHost).offer(job, session);
      if (answer.ok) offers.push(answer.value);
    }
    if (offers.length < CLUSTER_THRESHOLD) return null;
    const parts: { readonly signer: number; readonly share: SignerShare }[] = [];
    for (const { signer } of offers) {
      const answer = await (this.#askable[signer] as SignerHost).sign(job, session, offers);
      if (!answer.ok) return null;
      parts.push({ signer, share: answer.value });
    }
    parts.sort((one, other) => one.signer - other.signer);
    const { messages } = this.#built(job.terms, job.payment);
    return messages.map(({ bytes, tweak }, index): MessageSignature => {
      const own = parts.map(({ signer, share }) => ({
        signer,
        share: (share.kind === 'share' ? share.shares : share.signatures)[index] ?? '',
      }));
      if (this.#cluster.scheme === 'multisig-secp256k1')
        return { kind: 'each', signatures: own.map(({ signer, share }) => ({ signer, signature: share })) };
      const offered = offers.map(({ signer, commitments }) => ({
        signer,
        hiding: commitments[index]?.hiding ?? '',
        binding: commitments[index]?.binding ?? '',
      }));
      return { kind: 'group', signature: frostSignature(tweakedCluster(this.#cluster, tweak), offered, bytes, own) };
    });
  }
}

/** Of what came in, the payout by which it is the vault's: none where the ledger pays. */
function paidOutOf({ terms, commitment }: Transfer): PaidOutTransfer {
  const { destination } = terms;
  if (destination.kind === 'account') return { terms, payment: null };
  const payment = {
    kind: 'payout',
    commitment,
    reference: 'mint',
    to: destination.address,
    amount: terms.amountOut,
  } as const;
  return { terms, payment };
}

/** Tokens of the exchange's own chain in place of an asset of another. */
function wrappedOf(vault: Vault): Vault {
  return {
    ...vault,
    chain: EXCHANGE_CHAIN,
    token: null,
    contract: `0x${'22'.repeat(20)}`,
    decimals: Math.min(SCALE_MAX, vault.decimals),
  };
}

export function added(one: Holdings, other: Holdings): Holdings {
  const tokens = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...tokens].map((token) => [token, (one[token] ?? 0n) + (other[token] ?? 0n)]));
}

function difference(one: Holdings, other: Holdings): Holdings {
  const less = Object.entries(other).map(([token, units]) => [token, -units] as const);
  return added(one, Object.fromEntries(less));
}
