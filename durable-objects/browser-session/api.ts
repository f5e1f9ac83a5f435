import type { SessionEnd } from '../../domain/console/session-term.ts';

/**
 * One session of the console, one object each: named by the SHA-256 of what the browser keeps (docs/design/console.md#the-session). It holds the tokens,
 * which never leave for the browser.
 */
export interface BrowserSessionApi {
  /** Begins it. Once: a name is random, and has one session in its life. */
  begin(session: NewBrowserSession): Promise<void>;
  /** Gives the token of a session that goes on, renewed where it is about to end. */
  use(use: SessionUse): Promise<UsedSession>;
  /** Ends it with its tokens; null where there is none, or it has ended. Whose it was: for the list of their sessions. */
  end(reason: SessionEnd): Promise<{ readonly userId: string } | null>;
}

export interface HeldTokens {
  readonly accessToken: string;
  /** Null of a provider that gave none: then the session ends with its access token. */
  readonly refreshToken: string | null;
  /** End of the access token, Unix milliseconds. */
  readonly expiresAt: number;
  /** How long it was to live. */
  readonly lifeMs: number;
}

export interface NewBrowserSession {
  /** Its name, which the tokens are sealed for. */
  readonly name: string;
  /** Public id: of the grant at the embedded provider. */
  readonly id: string;
  readonly userId: string;
  readonly tokens: HeldTokens;
  readonly factor: SignInFactor;
}

export interface SignInFactor {
  readonly method: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface SessionUse {
  /** A token that was refused: then it is renewed, or the session ends. Null for none. */
  readonly refused: string | null;
  /** Whether a person did it: what a page asks by itself keeps no session alive. */
  readonly byPerson: boolean;
  readonly clientAddress: string;
  readonly device: string | null;
}

/** What others may know of a session. Times are Unix milliseconds. */
export interface SessionView {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly idleUntil: number;
  readonly endsAt: number;
  readonly factor: SignInFactor;
}

export type UsedSession =
  | { readonly type: 'open'; readonly accessToken: string; readonly session: SessionView }
  /** `none`: nobody has begun it, or it is long over. */
  | { readonly type: 'ended'; readonly reason: SessionEnd | 'none' }
  /** The provider is out of reach, and the token that there is does not hold. */
  | { readonly type: 'unavailable' };

/** What became of asking for other tokens. `refused`: the grant is over. */
export type Renewal =
  | { readonly type: 'tokens'; readonly tokens: HeldTokens }
  | { readonly type: 'refused' }
  | { readonly type: 'unavailable' };

/** `isRefused`: the access token was refused though its time is not over. */
export type RenewalFrom = Pick<SessionUse, 'clientAddress' | 'device'> & { readonly isRefused: boolean };

/** What the Worker does for the object, which imports no use of the product. */
export interface ConsoleDoor {
  renew(tokens: HeldTokens, from: RenewalFrom): Promise<Renewal>;
  /** Whether the refresh token may have been shown to the provider. */
  isSpent(tokens: HeldTokens): Promise<boolean>;
  /** Ends tokens at the provider and here. May be repeated. */
  endTokens(held: { readonly tokens: HeldTokens; readonly userId: string; readonly reason: SessionEnd }): Promise<void>;
}

interface BrowserSessionEnv {
  readonly BROWSER_SESSION: { getByName(name: string): unknown };
}

/** A fresh stub: after an exception a stub stays broken, so one is made for every call. */
export function browserSessionOf(env: BrowserSessionEnv, name: string): BrowserSessionApi {
  return env.BROWSER_SESSION.getByName(name) as BrowserSessionApi;
}
