import type { Field, FixMessage } from '../codec/fix-message.ts';

/** What an application says to its peer. */
export interface Outgoing {
  readonly type: string;
  readonly header?: readonly Field[];
  readonly body: readonly Field[];
  /** False for what is stale when it is asked for again. */
  readonly kept?: boolean;
}

/** Who has logged on, and what for. */
export interface Logon {
  readonly senderCompId: string;
  readonly cancelOnDisconnect: boolean;
  readonly dropCopy: boolean;
}

/** The application behind one session. It outlives connections: what happens in between is stored for the next. */
export interface Application {
  /** The peer is there. */
  loggedOn(logon: Logon): void;
  /** Takes a message that the session layer has accepted; it stands in the store until it is answered. */
  take(sequence: number, message: FixMessage): void;
  /** The connection has ended. */
  disconnected(): void;
  /** The process is about to end: leaves everything to be taken up again. */
  close(): Promise<void>;
}
