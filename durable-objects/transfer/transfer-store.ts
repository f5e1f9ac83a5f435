import type { PaymentOrder, SignedPayment } from '../../domain/bridge/chains/chain-adapter.ts';
import type { SigningJob } from '../../domain/bridge/signing/bridge-signer.ts';
import type { SignedWord } from '../../domain/bridge/signing/judge-word.ts';
import type { SignerFault } from '../../domain/bridge/signing/signer-fault.ts';
import type { BridgeEvent, ToldTimes } from '../../domain/bridge/told-changes.ts';
import type { Transfer, TransferEvent, TransferState } from '../../domain/bridge/transfer.ts';
import type { TransferStart, TransferView } from './api.ts';

/** How the deposit of a transfer that was paid out comes into the vault's account. */
export interface TransferSweep {
  /** How many were ordered, the one that is under way among them. */
  readonly ordered: number;
  /** How many of them three have signed; absent before one was, and in records of before this was counted. */
  readonly signedTimes?: number;
  /** What is under way: of one account there is one at a time. Null before the first, and between two. */
  readonly order: Pick<PaymentOrder, 'reference' | 'amount'> | null;
  /** Once three have signed it: it is never signed anew. */
  readonly signed: SignedPayment | null;
  /** Whether one has brought something. */
  readonly hasLanded: boolean;
  /** When the last of it was seen in the vault's account, Unix ms; null before. */
  readonly sweptAt: number | null;
}

/** How the relayer has handed in a payment. */
export interface HandedIn {
  /** The transaction that it is in; null where the last one has failed. */
  readonly transaction: string | null;
  /** Unix ms. */
  readonly at: number;
  /** Transactions that were in a block and failed. */
  readonly failed: number;
}

/** What the tenant is told of a change, as it stood then, until D1 has it. */
export interface TransferNotice {
  /** UUIDv7, of the event. */
  readonly id: string;
  readonly type: BridgeEvent;
  /** Place among the notices of the transfer, from 1 on. */
  readonly number: number;
  /** Unix ms. */
  readonly at: number;
  /** Null where it has begun. */
  readonly from: TransferState | null;
  readonly cause: TransferEvent['type'] | null;
  readonly stood: Pick<
    Transfer,
    'state' | 'expiresAt' | 'until' | 'funds' | 'payment' | 'refundReason' | 'isUncovered'
  > &
    Pick<TransferView, 'returnTo' | 'others' | 'debitRefusal'>;
}

/** What an object keeps of its transfer beside the terms. */
export interface TransferRecord extends TransferStart {
  readonly commitment: string;
  readonly transfer: Transfer;
  readonly debitRefusal: TransferView['debitRefusal'];
  /** Whether the ledger's debit names the terms; absent in records of before, whose debit may have been made under the transfer's own id. */
  readonly doesDebitNameTerms?: true;
  /** Whether payments of the ledger do, and its voids; absent in records of before. */
  readonly doPaymentsNameTerms?: true;
  /** Of the hardware module. */
  readonly coSignature: string | null;
  /** How many references were fixed: the next one is another. */
  readonly attempts: number;
  /** Whether the room that it had in its lane was looked after since it goes back; absent before. */
  readonly isRoomBack?: true;
  /** Payments that were announced to all signers, in their order. */
  readonly announced: SigningJob['earlier'] & {};
  /** The reference that signers were asked to cancel last: whoever has signed that signs nothing else of it any more. */
  readonly cancelling: string | null;
  /** The reference that too few signers know, and since when, Unix ms: it is not fixed yet. */
  readonly unknown?: { readonly reference: string; readonly since: number } | undefined;
  /** Whose funds an operator has returned to them, in place of the payer's; absent for nobody's. */
  readonly returnTo?: string | undefined;
  /** After how many refunds that came to nothing an operator has ordered another (`refundRest`); absent for never. */
  readonly refundOrdered?: number;
  /** Its refund waits for such an order; absent where it does not. */
  readonly doesRefundRest?: true | undefined;
  /** Who has got funds back that they had paid in its payer's place. */
  readonly returned?: readonly string[];
  /** What others than the payer have paid in, as far as it was looked at. */
  readonly others?: TransferView['others'];
  /** Since when signers are asked to cancel it, Unix ms, and which reference was given up: its coins are free for other payments. */
  readonly cancellingSince?: number | undefined;
  readonly givenUp?: string | undefined;
  /** All five signers have written down that it is paid out. */
  readonly isNotedPaidOut?: boolean | undefined;
  /** When its organization was credited with what it has earned, Unix ms; absent before. */
  readonly feeCreditedAt?: number;
  /** How its deposit comes into the vault's account, where it lies in one of its own; absent before. */
  readonly sweep?: TransferSweep;
  /** Since when the source does not show funds that it has shown, Unix ms; absent while it does. */
  readonly missingSince?: number | undefined;
  /** Payments that are signed, by the reference and what they do. */
  readonly signed: Readonly<Record<string, SignedPayment>>;
  /** How the relayer has handed them in, by the same; absent before, and where chains take what was signed as it is. */
  readonly handedIn?: Readonly<Record<string, HandedIn>>;
  readonly cheaters: readonly number[];
  /** Words of signers on its funds, for good (`keepWord`): none counts that is not here. */
  readonly words: readonly SignedWord[];
  /** Words that did not count, and why. */
  readonly faults: readonly SignerFault[];
  /** What its tenant is told of its changes, oldest first, until D1 has it; and how often it was told each. */
  readonly untold?: readonly TransferNotice[];
  readonly told?: ToldTimes;
  /** Raised with each change. */
  readonly version: number;
}

const KEY = 'record';

/** The record of one transfer, whole in one value: a change is stored before anything that follows from it leaves. */
export class TransferStore {
  readonly #storage: DurableObjectStorage;
  #record: TransferRecord | null | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get record(): TransferRecord | null {
    this.#record ??= this.#storage.kv.get<TransferRecord>(KEY) ?? null;
    return this.#record;
  }

  /** @throws Error where nothing has begun */
  get begun(): TransferRecord {
    if (this.record === null) throw new Error('the transfer has not begun');
    return this.record;
  }

  async save(change: Partial<TransferRecord> & TransferStart): Promise<void>;
  async save(change: Partial<TransferRecord>): Promise<void>;
  async save(change: Partial<TransferRecord>): Promise<void> {
    const version = (this.record?.version ?? 0) + 1;
    this.#record = { ...(this.record ?? ({} as TransferRecord)), ...change, version };
    this.#storage.kv.put(KEY, this.#record);
    await this.#storage.sync();
  }
}
