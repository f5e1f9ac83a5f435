import { echo } from '../application/echo.ts';
import { textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import type { Authenticator } from './authenticator.ts';

/** The one peer of the acceptance scripts. */
const PEER = 'TW44';

/** Lets the peer of the acceptance scripts in, without credentials, to an application that echoes. */
export function acceptanceAuthenticator(compId: string): Authenticator {
  return async (logon) => {
    if (textOf(logon, TAG.SenderCompID) !== PEER || textOf(logon, TAG.TargetCompID) !== compId)
      return { type: 'refused', text: null };
    return {
      type: 'peer',
      session: PEER,
      compId: PEER,
      applicationOf: ({ answer }) =>
        echo((sequence, outgoing) => answer(sequence, outgoing === null ? [] : [outgoing])),
      admitted: () => undefined,
    };
  };
}
