import type { Units } from '../transfer-terms.ts';
import type { ChainName } from './chain-name.ts';
import type { PayeeFault } from './payees/payee-fault.ts';
import type { PayoutCost } from './payout-cost.ts';
import type { RelayedFate } from './relayed-fate.ts';

/**
 * How the cluster signs on a chain.
 *
 * - `frost-secp256k1`: one Schnorr signature of the RFC 9591 suite, checked by a contract (EVM).
 * - `frost-taproot`: one BIP-340 signature.
 * - `frost-ed25519`: one Ed25519 signature.
 * - `multisig-secp256k1`: ECDSA by three of five keys, by the chain's own multisignature.
 */
export type SigningScheme = 'frost-secp256k1' | 'frost-taproot' | 'frost-ed25519' | 'multisig-secp256k1';

/** Keys of an organization's cluster, all in hexadecimal without `0x`. */
export interface ClusterKeys {
  readonly scheme: SigningScheme;
  /** Of the group: compressed point (secp256k1), x-only (Taproot), Ed25519 key. Empty for `multisig-secp256k1`. */
  readonly groupKey: string;
  /** Compressed keys of the five signers, in the order of their numbers, for `multisig-secp256k1`; empty otherwise. */
  readonly signerKeys: readonly string[];
}

/** Where an organization's funds of one asset are on one chain. */
export interface Vault {
  readonly chain: ChainName;
  /** `mainnet`, or a network whose coins are worth nothing. */
  readonly network: 'mainnet' | 'testnet' | 'local';
  readonly keys: ClusterKeys;
  /** The vault's contract; on the exchange chain, that of the wrapped token. Null on chains where the cluster's key is the vault. */
  readonly contract: string | null;
  /** The asset's token on that chain, as the chain names it; null for its own coin. */
  readonly token: string | null;
  /** Decimals of `Units` there. */
  readonly decimals: number;
  /** Where a custody provider keeps the funds; the provider's keys move them, once three of `keys` approve. Absent: nobody else keeps them. */
  readonly custody?: CustodyAccount | undefined;
}

/** An account at a custody provider. Names alone, no secrets. */
export interface CustodyAccount {
  /** As BRIDGE_CUSTODY_PROVIDERS names it. */
  readonly provider: string;
  /** The provider's id of the vault account. */
  readonly account: string;
  /** The provider's id of the asset. */
  readonly asset: string;
}

/** A call of a token, in hexadecimal with `0x`. */
export interface TokenCall {
  readonly to: string;
  readonly data: string;
}

/** How to pay a transfer's funds in: any of these that is not null has to be kept to. */
export interface DepositPlace {
  readonly address: string;
  /** What the payment has to carry so that it is known. */
  readonly memo: string | null;
  /** A call of a contract, in hexadecimal with `0x`; `approve` is the token and who has to be approved for it before, by which calls, one after another, as the payer's allowance was when it was asked for. */
  readonly call: {
    readonly to: string;
    readonly data: string;
    readonly value: Units;
    readonly approve: {
      readonly token: string;
      readonly spender: string;
      readonly calls?: readonly TokenCall[];
    } | null;
  } | null;
}

/** Funds that have come for a commitment. */
export interface Deposit {
  /** Transaction and place in it; the same funds have the same. */
  readonly reference: string;
  readonly amount: Units;
  /** Blocks from its own on, itself included; on chains with finality, at least the chain's rule once it is final. 0 while in no block. */
  readonly confirmations: number;
  /** Unix ms of its block, where the chain says so: whether it came in time. */
  readonly at?: number;
  /** Who alone has paid it, in the form of `addressOf`, on chains whose payments name their payer: whom it may be returned to. */
  readonly payer?: string;
  /** It is what an account has now: more that comes, also from a stranger, makes another amount of it. Absent where it is one payment. */
  readonly isBalance?: true;
}

/** A coin of a vault that somebody remembers: it is looked up by itself, however much strangers leave at its address. */
export interface KnownCoin {
  /** Transaction and place in it (`Deposit.reference`), or a transaction alone: whichever of its outputs is the vault's. */
  readonly reference: string;
  /** Of the transfer whose deposit it is; null for the vault's own. */
  readonly commitment: string | null;
}

/** What the references of a vault's payments are chosen by. */
export interface KnownToWatcher extends Pick<ChainView, 'coins'> {
  readonly taken: readonly string[];
  readonly deposited: readonly string[];
}

/** What the cluster signs. */
export interface PaymentOrder {
  /**
   * `cancel` spends the reference and pays nobody but the vault itself. `sweep` brings what lies in a transfer's own account into the vault's, and names nobody: whoever builds it knows where that is.
   */
  readonly kind: 'payout' | 'refund' | 'cancel' | 'sweep';
  /** Commitment of the transfer. */
  readonly commitment: string;
  /** What lets at most one transaction through (`ChainAdapter.referenceFor`). It also holds whatever else building needs, such as fees and a deadline's block. */
  readonly reference: string;
  readonly to: string;
  /** What it has to carry for who is paid (`PayeeMemo`); absent for nothing. */
  readonly memo?: string | undefined;
  readonly amount: Units;
}

/** What has to be signed for a payment. The same order gives the same bytes wherever it is built. */
export interface UnsignedPayment {
  readonly messages: readonly {
    /** What the scheme signs, in hexadecimal: a digest for secp256k1, the message itself for Ed25519. */
    readonly bytes: string;
    /** Scalar that is added to the cluster's secret before (`tweak` of signing), in hexadecimal; null for the cluster's key itself. */
    readonly tweak: string | null;
  }[];
}

/** A payment that may be handed in by anybody. */
export interface SignedPayment {
  /** As the chain takes it; of a contract's call, what a relayer sends. */
  readonly raw: string;
  /** Hash by which the chain knows it; null where the relayer's transaction decides that. */
  readonly transaction: string | null;
}

/** `unspent`: the reference may still be used. `paid`: by this order. `void`: by something that pays nobody. */
export type PaymentStatus =
  | { readonly state: 'unspent' }
  | { readonly state: 'paid' | 'void'; readonly transaction: string; readonly confirmations: number };

/** What a signer's own node says of a payment's reference (docs/design/bridge/signing.md#references). */
export interface ReferenceCheck {
  /** What of it is not so; null where all is. `isForGood`: no signer whose node tells the truth ever signs by it. */
  readonly fault: { readonly reason: string; readonly isForGood: boolean } | null;
  /** Commitments of other transfers whose deposits the payment spends. */
  readonly spends: readonly string[];
  /** Its fee is above what the node asks for today. Of a payout that is a fault; a refund and a cancellation may have their fee from a dearer day. Absent where it is not, and where fees are cents. */
  readonly isDear?: true;
}

/** How a node is asked. What it answers is believed by nobody without its form being checked. Each throws where it does not answer. */
export interface ChainTransport {
  /** JSON-RPC. @throws RpcRefusal where the node answers with an error; its message is all that the error says, as JSON */
  rpc(method: string, params: unknown): Promise<unknown>;
  /** @throws RpcRefusal with the status and the body's text, where the status is none of success */
  get(path: string): Promise<unknown>;
  /** Bytes (`Uint8Array`, or a `Blob` with its type) and forms (`URLSearchParams`) go as they are, everything else as JSON. @throws RpcRefusal as `get` */
  post(path: string, body: unknown): Promise<unknown>;
}

/** A chain as one organization uses it. */
export interface ChainView {
  readonly vault: Vault;
  readonly transport: ChainTransport;
  /** Private key of who pays for transactions that anybody may hand in, `0x` and 64 digits; null where that is nobody's. It opens nothing. */
  readonly relayer: string | null;
  /** Commitments of transfers whose funds lie in the vault, newest first, where payments have to know them. */
  readonly deposited?: readonly string[];
  /** Coins that are known to whoever asks, newest first, on chains of outputs and Cardano; of a refund, its deposit. */
  readonly coins?: readonly KnownCoin[];
}

/** Who is paid, and the tag that the payment has to carry; null for none. */
export interface TaggedAccount {
  readonly address: string;
  readonly tag: string | null;
}

/** What payments of a chain carry for their payee beside the address: by a memo, tag, comment or note an exchange tells its customers apart. */
export interface PayeeMemo {
  /** How it is written, for people. */
  readonly form: string;
  /** Whether a text is one. It is carried as it is: nothing is trimmed or rewritten. */
  isRight(memo: string): boolean;
  /** Whether an address says itself what its payments carry, so that nothing may stand beside it; absent where none does. */
  isInAddress?(address: string): boolean;
  /** Whether an account asks for one; absent where the chain does not say so. */
  isAskedFor?(view: Pick<ChainView, 'transport'>, address: string): Promise<boolean>;
  /** As a custody provider takes it, null where it takes none of this kind; absent where it takes the same text. */
  tagOf?(memo: string): string | null;
}

/**
 * What the bridge does on a chain. Pure but for the transport. Whatever of it is the same for all vaults of the chain takes no view.
 */
export interface ChainAdapter {
  readonly scheme: SigningScheme;
  /** Confirmations that count as final on that chain. */
  readonly confirmations: number;
  /** The address in the form that the chain's own programs write; null where it is none of that network, nobody has its key, or everybody (`isKeyless`). */
  addressOf(text: string, network: Vault['network']): string | null;
  /**
   * What is against paying an address of the vault's network: it is the vault's own or its token's, or the chain says that nobody signs there; null for nothing. Left out where the vault's keys are
   * somebody else's.
   *
   * @throws Error where it cannot be seen now
   */
  payeeFault?(view: ChainView, to: string): Promise<PayeeFault | null>;
  /** That what is stated as the vault's contract is one, on the stated network. @throws RangeError where it is not */
  readContract?(view: ChainView): Promise<void>;
  /** Decimals that the token says itself; null for a coin, and where nobody on the chain says them. @throws RangeError where there is no such token */
  readDecimals?(view: ChainView): Promise<number | null>;
  /** What a payout costs now; absent on chains whose fees move little (`boundedPayoutCost`). */
  payoutCost?(view: ChainView): Promise<PayoutCost>;
  /** Of an address, the account, and the tag by which it tells its customers apart; absent where addresses have none. */
  taggedAccountOf?(address: string, network: Vault['network']): TaggedAccount | null;
  /** Absent where a payment carries nothing for its payee. */
  readonly payeeMemo?: PayeeMemo;
  /**
   * What the chain counts the vault's payments by, as the chain writes it: the account that has the sequence, the nonces or the outputs. Payments of two vaults that are counted by the same
   * share their references.
   *
   * @throws RangeError where the vault has no keys, or no contract, of this chain
   */
  countsBy(vault: Vault): string;
  /** The same for a commitment however often it is asked for. */
  depositPlace(view: ChainView, commitment: string, amount: Units): DepositPlace | Promise<DepositPlace>;
  /** What the payer has to call at the vault's token before, in turn; left out where nothing ever has to be approved. */
  approvals?(view: ChainView, owner: string, amount: Units): Promise<readonly TokenCall[]>;
  /**
   * Those of a commitment that the chain has now, oldest first, 20 at most, from that address alone; null: of anybody, where deposits name their payer, and none elsewhere. Who pays is not asked on chains of outputs, Cardano among them, whose payments come from many addresses, nor where a balance is all that is read (`Deposit.isBalance`).
   *
   * @param known references of deposits that whoever asks has seen before: on chains of outputs and Cardano they are looked up by themselves, as what strangers pay in may hide them
   */
  deposits(view: ChainView, commitment: string, from: string | null, known?: readonly string[]): Promise<Deposit[]>;
  /** What one payment can bring out of the account of a transfer into the vault's, its fee included. Only where each transfer has an account of its own (`sweepsDeposits`). */
  sweepable?(view: ChainView, commitment: string): Promise<Units>;
  /**
   * A reference for a payment that none in `taken` uses, or spends a part of. It is asked once, and stored before anybody signs.
   *
   * @throws InsufficientFunds where the vault has too little
   * @throws Unbuildable where the payee of a payout asks for a memo, and none is stated
   */
  referenceFor(
    view: ChainView,
    order: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
    taken: readonly string[],
  ): Promise<string>;
  /** @throws RangeError where the order cannot be built: another reference, or an amount that fees would eat */
  build(vault: Vault, order: PaymentOrder): UnsignedPayment;
  /** @throws RangeError where a signature is missing or wrong. Of a multisignature, each message has its signatures by the signer's number. */
  complete(vault: Vault, order: PaymentOrder, signatures: readonly MessageSignature[]): SignedPayment;
  /**
   * Hands it in; one that the chain has already is no error.
   *
   * @param before the relayer's transaction that this one takes the place of; absent for none
   * @returns the transaction's hash
   * @throws Unpayable where the relayer would pay for more than was quoted
   */
  broadcast(view: ChainView, payment: SignedPayment, before?: string): Promise<string>;
  /** What has become of a transaction of the relayer; absent where payments go in as they were signed. */
  relayedFate?(view: ChainView, transaction: string): Promise<RelayedFate>;
  /** @param known transactions that may have used the reference, looked at first where strangers can hide them: whoever has made them knows them */
  statusOf(view: ChainView, order: PaymentOrder, known?: readonly string[]): Promise<PaymentStatus>;
  /**
   * Holds each field of a reference against the node: a reference comes from whoever coordinates, and what of it is not in the signed bytes, or costs money, is believed by nobody.
   *
   * @throws RangeError where it is no reference of the chain; Error where the node does not know now
   */
  checkReference(view: ChainView, order: PaymentOrder): Promise<ReferenceCheck>;
  /** Whether somebody has begun to give the vault another key without the cluster; left out where nobody can. */
  isRecovering?(view: ChainView): Promise<boolean>;
  /** Keys that the vault's contract takes signatures of now: it may have got another one since they were stated, also by its admin after the cluster had lost its key. Absent where a vault has no contract. */
  keysInForce?(view: ChainView): Promise<ClusterKeys>;
  /**
   * Whether nobody but the cluster moves what is in the vault, on chains whose addresses do not say it: there `deposits` and `referenceFor` ask it, too. On chains whose accounts take no token before they say so, whether the vault's has.
   *
   * @throws VaultClosed where it has not
   * @throws Error where others may, or it cannot be seen now
   */
  requireVault?(view: ChainView): Promise<void>;
}

/** Of one message: one signature of the cluster, or one for each signer that gave it. In hexadecimal; ECDSA is compact, 64 bytes. */
export type MessageSignature =
  | { readonly kind: 'group'; readonly signature: string }
  | { readonly kind: 'each'; readonly signatures: readonly { readonly signer: number; readonly signature: string }[] };

/** A node's own error. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The vault has too little for a payment. */
export class InsufficientFunds extends Error {
  override readonly name = 'InsufficientFunds';
}

/** A vault that is stated in no way that its chain's adapter could use. */
export class MisstatedVault extends RangeError {
  override readonly name = 'MisstatedVault';
}

/** A vault whose account takes nothing of its token before it has said so on its chain. */
export class VaultClosed extends RangeError {
  override readonly name = 'VaultClosed';
}

/** A payment that can never be built: another reference makes no difference. */
export class Unbuildable extends RangeError {
  override readonly name = 'Unbuildable';
}

/** A payment that would cost the relayer more than was quoted. */
export class Unpayable extends RangeError {
  override readonly name = 'Unpayable';
}
