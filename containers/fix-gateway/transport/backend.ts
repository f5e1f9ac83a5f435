import type { Authenticator } from './authenticator.ts';

/** What the sessions of a gateway lead to: who may log on, and what takes their messages. */
export interface Backend {
  readonly authenticate: Authenticator;
  /** MsgTypes that its application takes. */
  readonly supported: ReadonlySet<string>;
  /** Whether sequence numbers begin at 1 with every logon. */
  readonly resetOnLogon: boolean;
  /** Whether a Logon that is refused is answered by a Logout with the reason, where FIX lets it. */
  readonly explainsRefusals: boolean;
  isHealthy(): Promise<boolean>;
  close(): Promise<void>;
}
