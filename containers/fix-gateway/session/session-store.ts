/** A message that was sent under a sequence number; `text` is null for one that is never sent again (administrative, market data). */
export interface SentMessage {
  readonly sequence: number;
  readonly text: string | null;
}

/**
 * What a session remembers over connections and restarts. What is recorded has to be durable before anything is sent that follows from
 * it.
 */
export interface SessionStore {
  /** When the sequence numbers last began at 1. */
  readonly createdAt_ms: number;
  /** MsgSeqNum of the next message to the peer. */
  readonly nextSender: number;
  /** MsgSeqNum expected from the peer. */
  readonly nextTarget: number;
  /** What was sent under the numbers from `begin` to `end`, both included, ascending; numbers without a record are left out. */
  sent(begin: number, end: number): readonly SentMessage[];
  recordSent(message: SentMessage): void;
  recordNextTarget(sequence: number): void;
  /** Takes an application message: the peer may count on it, so it is processed even if the process dies now. */
  recordAccepted(sequence: number, text: string): void;
  /** Both sequence numbers begin at 1 again, and what was sent is forgotten. */
  reset(now_ms: number): void;
}
