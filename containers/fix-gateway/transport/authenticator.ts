import type { Application } from '../application/application.ts';
import type { FixMessage } from '../codec/fix-message.ts';
import type { SessionPort } from './session-port.ts';

/** Who a Logon comes from. */
export type Authentication =
  | {
      readonly type: 'peer';
      /** The session that it belongs to: the same over all its connections. */
      readonly session: string;
      readonly compId: string;
      /** Creates the application behind the session, when it is first needed. */
      applicationOf(port: SessionPort): Application;
      /** Told at every logon, before the session layer: credentials and address may have changed. */
      admitted(application: Application): unknown;
    }
  /** `text` is told to the peer in a Logout; null closes the connection without a word. */
  | { readonly type: 'refused'; readonly text: string | null };

/** Decides about a Logon, the first message of a connection. */
export type Authenticator = (logon: FixMessage, address: string) => Promise<Authentication>;
