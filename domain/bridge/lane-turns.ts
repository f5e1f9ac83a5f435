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
  readonly amount: number;
  /** What the lane may carry in 24 hours. */
  readonly limit: number;
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
 * since and it fit into the limit together. One that the limit has no room for at all holds up nobody.
 *
 * @param waiting oldest first
 */
export function mayPass(waiting: readonly WaitingTransfer[], asking: AskingTransfer): boolean {
  const { amount, limit } = asking;
  return earlierThan(waiting, asking).every(
    (earlier) => earlier.amount > limit || earlier.overtaken + amount <= limit - earlier.amount,
  );
}
