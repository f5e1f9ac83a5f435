import type { Result } from '../../../domain/result.ts';
import type { Application } from '../application/application.ts';
import type { FixMessage } from '../codec/fix-message.ts';
import type { SessionPort } from './session-port.ts';

/** Who a Logon comes from. */
export interface Peer {
  /** The session that it belongs to: the same over all its connections. */
  readonly session: string;
  readonly compId: string;
  /** Creates the application behind the session, when it is first needed. */
  applicationOf(port: SessionPort): Application;
  /** Told at every logon, before the session layer: credentials and address may have changed. */
  admitted(application: Application): unknown;
}

/** Decides about a Logon, the first message of a connection; says why it is refused. */
export type Authenticator = (logon: FixMessage, address: string) => Promise<Result<Peer, string>>;
