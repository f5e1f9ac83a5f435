import type { Clock } from './clock.ts';
import { signature } from './sign.ts';

/** A request as a credential sees it. */
interface Outgoing {
  readonly method: string;
  /** Path with query, as it is sent. */
  readonly path: string;
  readonly body: string | Uint8Array;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** What proves who calls. */
export interface Credentials {
  headersOf(request: Outgoing): Promise<Readonly<Record<string, string>>>;
  /** After an answer of 401: whether there is something fresh to try once more with. */
  renew(): Promise<boolean>;
}

/** An API key: each request is signed, and the secret never leaves. */
export function keyCredentials({ key, secret }: { readonly key: string; readonly secret: string }): Credentials {
  return {
    headersOf: async ({ method, path, body, clock }) => {
      const timestamp = clock.stamp();
      return {
        'x-api-key': key,
        'x-api-timestamp': String(timestamp),
        'x-api-signature': await signature(secret, timestamp, method, path, body),
      };
    },
    renew: async () => false,
  };
}

/** Whatever has an access token that is good for a while (`TokenSession`). */
export interface TokenSource {
  accessToken(signal?: AbortSignal): Promise<string>;
  renew(): Promise<boolean>;
}

/** A person's or a machine client's access token. */
export function bearerCredentials(source: TokenSource): Credentials {
  return {
    headersOf: async ({ signal }) => ({ authorization: `Bearer ${await source.accessToken(signal)}` }),
    renew: () => source.renew(),
  };
}
