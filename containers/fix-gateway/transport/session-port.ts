import type { Outgoing } from '../application/application.ts';
import type { SessionFile } from '../store/session-file.ts';

/** What an application may do with its session. */
export interface SessionPort {
  readonly store: SessionFile;
  /** Answers what was taken, with nothing or some messages, in one step with what was put into the store before. */
  answer(sequence: number, outgoing: readonly Outgoing[]): void;
  send(outgoing: Outgoing): void;
}
