import type { Caller } from '../caller.ts';

/** What a client sends for tokens, and from where: the union of what the grants need. */
export interface GrantFields extends Caller {
  /** Of the password grant: the phone number, E.164. */
  readonly username: string | undefined;
  /** Of the password grant: the one-time code. */
  readonly password: string | undefined;
  readonly refreshToken: string | undefined;
  /** Of the grant by authorization code, with the next two. */
  readonly code: string | undefined;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
  /** RFC 8707: never another than the grant was given for. */
  readonly resource: string | undefined;
  /** Joined by spaces or plus signs. */
  readonly scope: string;
  /** For what need not be over before the answer. */
  later(work: Promise<unknown>): void;
}
