/** A token is renewed this long before it ends. */
const MARGIN_MS = 60_000;
const REQUEST_MS_MAX = 10_000;

export interface ClientCredentials {
  /** Token endpoint of the identity provider. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Access tokens of the client-credentials grant (RFC 6749, section 4.4), one at a time. */
export class TokenSource {
  readonly #client: ClientCredentials;
  #held: { readonly token: string; readonly until: number } | null = null;

  constructor(client: ClientCredentials) {
    this.#client = client;
  }

  /** Throws when the identity provider gives none. */
  async token(): Promise<string> {
    if (this.#held !== null && Date.now() < this.#held.until) return this.#held.token;
    const { tokenUrl, clientId, clientSecret } = this.#client;
    const response = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    if (!response.ok) throw new Error(`the identity provider answered ${response.status}`);
    const { access_token, expires_in } = (await response.json()) as { access_token: string; expires_in: number };
    this.#held = { token: access_token, until: Date.now() + expires_in * 1_000 - MARGIN_MS };
    return access_token;
  }

  /** The service did not accept it. */
  forget(): void {
    this.#held = null;
  }
}
