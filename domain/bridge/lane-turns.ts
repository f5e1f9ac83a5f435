import type { TransferTerms } from './transfer-terms.ts';

/** A transfer that waits for room in its lane. */
export interface WaitingTransfer {
  readonly commitment: string;
  /** Scaled integer of the ledger. */
  readonly amount: number;
  /** What has passed it since it began to wait, in all. */
  readonly overtaken: number;
}

/** What asks for room. */
export interface AskingTransfer {
  readonly commitment: string;
  /** Whose it is (`customerOf`). */
  readonly customer: string;
  readonly amount: number;
  /** What the lane may carry in 24 hours. */
  readonly limit: number;
  /** Room is held for transfers of so much at most (`roomHeldUpTo`). */
  readonly held: number;
}

/** `own_day`: so much of its customer's has come back within 24 hours that it asks no more today. */
export type LaneTurn = 'passes' | 'others_first' | 'own_day';

/** Whom a transfer is counted for: its account, or who pays it in. */
export function customerOf({ source, destination }: Pick<TransferTerms, 'source' | 'destination'>): string {
  for (const place of [source, destination]) if (place.kind === 'account') return `account ${place.account}`;
  return source.kind === 'chain' ? `${source.chain} ${source.address}` : '';
}

/**
 * Whether a customer has room of its own. What it has had given back is free for others, and for itself it stays taken for 24 hours: so who has everything given back keeps a lane from nobody for
 * longer than one lane's limit a day.
 *
 * @param givenBack what it has had given back in this lane within 24 hours
 */
export function hasOwnRoom(givenBack: number, { amount, limit }: Pick<AskingTransfer, 'amount' | 'limit'>): boolean {
  return givenBack + amount <= limit;
}

/**
 * Those that a transfer would overtake: all that began to wait before it.
 *
 * @param waiting oldest first
 */
export function earlierThan(
  waiting: readonly WaitingTransfer[],
  { commitment }: Pick<AskingTransfer, 'commitment'>,
): readonly WaitingTransfer[] {
  const own = waiting.findIndex((one) => one.commitment === commitment);
  return own < 0 ? waiting : waiting.slice(0, own);
}

/**
 * Whether a transfer may take room now. What passes one that waits leaves room for it in the limit: 24 hours after it began to wait, whatever was counted before has left the window, and what came
 * since and it fit into the limit together. One of more than room is held for holds up nobody: it takes what it finds.
 *
 * @param waiting oldest first
 */
export function mayPass(waiting: readonly WaitingTransfer[], asking: Omit<AskingTransfer, 'customer'>): boolean {
  const { amount, limit, held } = asking;
  return earlierThan(waiting, asking).every(
    (earlier) => earlier.amount > held || earlier.overtaken + amount <= limit - earlier.amount,
  );
}
