import type { FixMessage } from '../codec/fix-message.ts';

/** What the transport and the application are to do, in this order. */
export type SessionEffect =
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'disconnect'; readonly reason: string }
  /** An application message in its turn, once; it stands in the store until the application has answered it. */
  | { readonly type: 'deliver'; readonly sequence: number; readonly message: FixMessage }
  | { readonly type: 'logged_on'; readonly logon: FixMessage }
  /** For the log. Holds no message, so no secret. */
  | { readonly type: 'event'; readonly text: string };
