import type { BookCommand, BookResult } from './api.ts';

/** A command that waits for its answer. */
export interface PendingCommand {
  readonly command: BookCommand;
  readonly since_ms: number;
  /** Whether it went through the queue; a cancel that overtakes does not. */
  readonly queued: boolean;
  /** Answered `unavailable` while its admission was still unknown: must be released, never matched. */
  abandoned: boolean;
  readonly answer: (result: BookResult) => void;
}

/** The id that an answer to this command carries. */
export function idOf(command: BookCommand): string {
  switch (command.type) {
    case 'place':
    case 'cancel':
    case 'amend':
      return command.orderId;
    case 'mass_cancel':
      return command.account ?? '';
  }
}

/** The id under which a command is repeated; null for one that may run twice. */
export function repeatIdOf(command: BookCommand): string | null {
  switch (command.type) {
    case 'place':
      return command.orderId;
    case 'amend':
      return command.amendmentId;
    case 'cancel':
    case 'mass_cancel':
      return null;
  }
}
