import type { MessageSignature, PaymentOrder, SigningScheme } from '../chains/chain-adapter.ts';
import type { TransferTerms } from '../transfer-terms.ts';
import type { AttestedClaim } from './attestation.ts';

/** What is to be signed, and for what. Everything else a signer finds out for itself. */
export interface SigningJob {
  readonly terms: TransferTerms;
  readonly payment: PaymentOrder;
  /** Where the payment goes out: chain of the destination, or of the source for a refund. */
  readonly side: 'source' | 'destination';
  /** Of the hardware module over the commitment; null where none is needed. */
  readonly coSignature: string | null;
  /**
   * What was ordered before under announcements of the transfer (`SignerEyes.announced`): each has to be void by now. With a cancellation comes the payment that it cancels.
   */
  readonly earlier?: readonly { readonly side: 'source' | 'destination'; readonly payment: PaymentOrder }[];
  /** The deposit that a payout is for, on chains where strangers may hide it behind others (`ChainAdapter.deposits`): a signer that has not seen it looks it up by itself. */
  readonly deposit?: string;
  /** Transfers whose deposits the payment spends: paid out before, as the signer sees for itself. */
  readonly paidOut?: readonly PaidOutTransfer[];
  /** What is to be signed as the coordinator builds it (`messagesDigest`): a signer that would sign something else says so, and gives no share that could only be wrong. */
  readonly builds?: string;
}

/** A transfer that was paid out, and by which payment; null where the ledger has paid it to an account. */
export interface PaidOutTransfer {
  readonly terms: TransferTerms;
  readonly payment: PaymentOrder | null;
}

/** Why a signer does not sign. `not_yet` may become right; the others never. */
export type SignerRefusal =
  | { readonly kind: 'not_yet'; readonly reason: string }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** What its reference states is wrong for good: nobody ever signs by it, so it is void. */
      readonly isVoid?: true | undefined;
    };

/** A signer's own word, by a key of its own, on what it has seen and signs: what slashing goes by. */
export interface Attestation {
  /** 0 to 4. */
  readonly signer: number;
  /** What it attests; null where nothing is staked on it. */
  readonly claim: AttestedClaim | null;
  /** 32 bytes in hexadecimal: of the claim (`attestationDigest`), or of the funds alone. */
  readonly digest: string;
  /** 65 bytes r, s, v in hexadecimal, as `ecrecover` takes them. */
  readonly signature: string;
}

/** Public nonces of one signer for each message of a job. */
export interface NonceOffer {
  readonly signer: number;
  /** By it the signer finds the nonces that it has stored. */
  readonly session: string;
  /** Of its share: those of two generations do not go together. */
  readonly generation: number;
  readonly commitments: readonly { readonly hiding: string; readonly binding: string }[];
}

/** A signer's part of each message. */
export type SignerShare =
  | { readonly kind: 'share'; readonly shares: readonly string[] }
  /** `multisig-secp256k1`: no second round is needed. */
  | { readonly kind: 'ecdsa'; readonly signatures: readonly string[] };

/** Outcome of a call of a signer, as a value: what is thrown is an absence. */
export type SignerAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | ({ readonly ok: false } & SignerRefusal);

/** One of five, in an object or a process of its own. Keys never leave it. */
export interface BridgeSigner {
  /**
   * By which places it would judge a transfer (`placesDigest`), whose vaults all have keys that it has shares of: asked before anybody pays in where no signer would look.
   */
  knownPlaces(terms: TransferTerms): Promise<SignerAnswer<string>>;
  /** Whether the funds are there as the terms say, deep enough. @param deposit as of a job */
  attestFunds(terms: TransferTerms, deposit?: string): Promise<SignerAnswer<Attestation>>;
  /** Its nonces for a job; the same offer until it has signed with them or the session is given up. */
  offer(job: SigningJob, session: string): Promise<SignerAnswer<NonceOffer>>;
  /** Signs with the nonces of the session, which are gone before the share leaves. */
  sign(job: SigningJob, session: string, offers: readonly NonceOffer[]): Promise<SignerAnswer<SignerShare>>;
}

/** What a session of three came to. `cheaters` are numbers of signers whose share was wrong. */
export type SigningOutcome =
  | {
      readonly ok: true;
      readonly signatures: readonly MessageSignature[];
      readonly by: readonly number[];
      readonly cheaters: readonly number[];
    }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly cheaters: readonly number[];
      /** Three signers refuse it for good, so that no three are left to sign. */
      readonly isForGood: boolean;
      /** Three say that its reference is wrong for good: at least one of them tells the truth. */
      readonly isVoid?: boolean;
    };

/** What a signer has to know of an organization's cluster. */
export interface ClusterConfig {
  readonly organization: string;
  readonly scheme: SigningScheme;
  /** Raised by resharing and rotation. */
  readonly generation: number;
}
