import type { DepositPlace, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { FeeSettings } from '../../domain/bridge/credited-fee.ts';
import type { RefundWorth } from '../../domain/bridge/refund-rest.ts';
import type { SignedWord } from '../../domain/bridge/signing/judge-word.ts';
import type { StakePlace } from '../../domain/bridge/signing/signer-eyes.ts';
import type { SignerFault } from '../../domain/bridge/signing/signer-fault.ts';
import type { Transfer } from '../../domain/bridge/transfer.ts';
import type { TransferTerms, Units } from '../../domain/bridge/transfer-terms.ts';
import type { BridgeOutcome } from '../../domain/ledger/outcomes.ts';

/** What a transfer goes by, as it stood when it began. */
interface TransferSettings extends FeeSettings {
  /** Where its sides are; null for an account. */
  readonly source: Vault | null;
  readonly destination: Vault | null;
  /** Address of the guard, and the lane that it counts in. */
  readonly guard: string;
  readonly lane: string;
  /** Where words of its signers can be proved wrong, and what each has to stand in for at least, in the smallest unit of that chain's coin. */
  readonly stake: StakePlace;
  readonly minStake: Units;
  /** Id of the ledger's asset. */
  readonly assetId: string;
  readonly coSignFrom: number | null;
  readonly queue_ms: number;
  /** Of its lane's limit, how much room is held for it while it waits. */
  readonly roomHeldPercent: number;
  readonly answer_ms: number;
  /** What a refund is held against; null where the ledger gives it back, absent in records of before. */
  readonly refundWorth?: RefundWorth | null;
}

export interface TransferStart {
  readonly terms: TransferTerms;
  readonly settings: TransferSettings;
  /** How to pay its funds in; null where they come from an account. */
  readonly place: DepositPlace | null;
  /** Tenant at which it was asked for. */
  readonly hostname: string;
  readonly createdAt: number;
}

/** Funds that somebody else than the payer of a transfer has paid in for it. */
interface OtherFunds {
  readonly payer: string;
  readonly reference: string;
  readonly amount: Units;
}

/** What became of an order to return funds to who has paid them in. `not_now`: the transfer is none whose payer has not paid, nor one whose refund waits for an order. `no_funds`: nothing of theirs is there. `asks_memo`: they cannot be paid without a memo. `away`: the chain does not answer. */
export type ReturnAnswer = 'ordered' | 'not_now' | 'no_funds' | 'asks_memo' | 'away';

/** A transfer as its object has it. */
export interface TransferView extends TransferStart {
  readonly transfer: Transfer;
  readonly commitment: string;
  /** Why it does not go on, if it does not; it tries again by itself. */
  readonly waitsFor: string | null;
  /** Why its account was not debited; null where it was, or has none. */
  readonly debitRefusal: Exclude<BridgeOutcome['type'], 'done'> | null;
  /** What others than the payer have paid in, oldest first, 20 at most: looked at once the quote has ended. */
  readonly others: readonly OtherFunds[];
  /** Whose funds an operator has returned to them; null for nobody's. */
  readonly returnTo: string | null;
  /** Whom its funds go back to where that waits for an operator's order; null where it does not. */
  readonly restsFor: string | null;
  /** When its organization was credited with what it has earned, Unix ms; null for not. */
  readonly feeCreditedAt: number | null;
  /** Numbers of signers whose shares were wrong, as often as that was seen. */
  readonly cheaters: readonly number[];
}

/** What signers have said of a transfer's funds, as far as it binds them, and what was wrong with it. */
export interface TransferWords {
  readonly organization: string;
  readonly commitment: string;
  /** What was attested is gone: where it was a burn, and does not come back, whoever has attested it can be slashed. */
  readonly areFundsLost: boolean;
  readonly words: readonly SignedWord[];
  readonly faults: readonly SignerFault[];
}

/** One transfer, named by its id (docs/design/bridge.md#the-object-of-a-transfer). Answers are durable. */
export interface BridgeTransferApi {
  /** Begins it, once: again, it answers as it stands. An account is debited before this answers. */
  begin(start: TransferStart): Promise<TransferView>;
  /** Does what can be done now; null where there is none. Anybody may ask for it. */
  push(): Promise<TransferView | null>;
  view(): Promise<TransferView | null>;
  /** Has what somebody else than the payer has paid in returned to them, or the refund tried that rests: an operator's order. The same again changes nothing. */
  returnTo(payer: string): Promise<ReturnAnswer>;
  /** Asks nobody. */
  words(): Promise<TransferWords | null>;
}

/** A fresh stub of a transfer's object. After an exception a stub stays broken, so one is made for every call. */
export function bridgeTransferOf(
  env: { readonly BRIDGE_TRANSFER: { getByName(name: string): unknown } },
  id: string,
): BridgeTransferApi {
  return env.BRIDGE_TRANSFER.getByName(id) as BridgeTransferApi;
}
