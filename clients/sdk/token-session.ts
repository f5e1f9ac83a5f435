import type { TokenSource } from './wire/credentials.ts';
import { ExchangeError } from './wire/failure.ts';
import { fetchJson, unread } from './wire/fetch-json.ts';
import { PLATFORM, type Seams } from './wire/seams.ts';

/** What is kept between two runs of a program. The refresh token serves once. */
export interface Tokens {
  readonly accessToken: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  readonly refreshToken: string | null;
}

interface TokenSessionOptions {
  /** Of the identity provider: `https://exchange.example/iam`. */
  readonly iamUrl: string;
  readonly clientId: string;
  /** Of a client that keeps one. */
  readonly clientSecret?: string;
  /** Those of a sign-in before; a machine client with a secret needs none. */
  readonly tokens?: Tokens;
  /** Told of fresh tokens before they are used: keep them, because the refresh token before them is spent. */
  readonly onTokens?: (tokens: Tokens) => void | Promise<void>;
  readonly seams?: Partial<Seams>;
}

/** A token is fetched anew so long before its end. */
const EARLY_MS = 60_000;

/** Access tokens that stay fresh: by the refresh token of a sign-in, or by the credentials of a machine client. */
export class TokenSession implements TokenSource {
  readonly #options: TokenSessionOptions;
  readonly #seams: Seams;
  #tokens: Tokens | null;
  #unkept: Tokens | null = null;
  #fetching: Promise<Tokens> | null = null;

  constructor(options: TokenSessionOptions) {
    this.#options = options;
    this.#seams = { ...PLATFORM, ...options.seams };
    this.#tokens = options.tokens ?? null;
  }

  /** @throws ExchangeError where none can be had */
  async accessToken(): Promise<string> {
    if (this.#tokens !== null && this.#tokens.expiresAt - EARLY_MS > this.#seams.now()) return this.#tokens.accessToken;
    return (await this.#fresh()).accessToken;
  }

  async renew(): Promise<boolean> {
    if (this.#grant() === null) return false;
    await this.#fresh();
    return true;
  }

  /** Callers at the same time wait for one refresh: a second one would show a spent token, which ends the session. */
  #fresh(): Promise<Tokens> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  #grant(): Record<string, string> | null {
    const refreshToken = this.#tokens?.refreshToken ?? null;
    if (refreshToken !== null) return { grant_type: 'refresh_token', refresh_token: refreshToken };
    return this.#options.clientSecret === undefined ? null : { grant_type: 'client_credentials' };
  }

  async #fetch(): Promise<Tokens> {
    if (this.#unkept !== null) return await this.#kept(this.#unkept);
    const { iamUrl, clientId, clientSecret } = this.#options;
    const grant = this.#grant();
    if (grant === null) {
      const message = 'the access token has ended, and there is nothing to buy another with: sign in again';
      throw new ExchangeError({
        kind: 'unauthorized',
        status: 401,
        code: 'UNAUTHORIZED',
        message,
        details: {},
        requestId: null,
      });
    }
    const form = { ...grant, client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    const url = `${iamUrl.replace(/\/+$/, '')}/api/login/oauth/access_token`;
    const body = await fetchJson(this.#seams.fetch, url, { body: new URLSearchParams(form) });
    const { access_token, expires_in, refresh_token } = (body ?? {}) as Record<string, unknown>;
    if (typeof access_token !== 'string' || typeof expires_in !== 'number') throw unread(url, 'it has no token');
    return await this.#kept({
      accessToken: access_token,
      expiresAt: this.#seams.now() + expires_in * 1_000,
      refreshToken: typeof refresh_token === 'string' ? refresh_token : null,
    });
  }

  /** Nobody uses tokens before they are kept; where that fails it is tried again, because what they were bought with is spent. */
  async #kept(tokens: Tokens): Promise<Tokens> {
    this.#unkept = tokens;
    await this.#options.onTokens?.(tokens);
    this.#unkept = null;
    this.#tokens = tokens;
    return tokens;
  }
}
