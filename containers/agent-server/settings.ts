import { type Environment, parseSettings } from '../process/parse-settings.ts';

/** Where the exchange is, and the key that calls are signed with. The agent sees none of it. */
export interface Settings {
  /** Address of profile B without `/v1`, such as http://localhost:8787/book. */
  readonly apiUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Reads EXCHANGE_API_URL, EXCHANGE_API_KEY and EXCHANGE_API_SECRET; there is no other way to hand them in. */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => ({
    apiUrl: from.address('EXCHANGE_API_URL').href.replace(/\/+$/, ''),
    keyId: from.required('EXCHANGE_API_KEY'),
    secret: from.required('EXCHANGE_API_SECRET'),
  }));
}
