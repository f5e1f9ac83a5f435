import type { BrokerRefusal, BrokerUnavailable } from '../../../domain/broker/broker-client.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { askHttp, type HttpAnswer, recordOf, unavailable } from '../ask-http.ts';

/** Where Coinbase Prime's REST API is, the portfolio that is the exchange's, and the keys of its API key. */
export interface PrimeSettings {
  readonly baseUrl: string;
  readonly portfolioId: string;
  readonly accessKey: string;
  readonly passphrase: string;
  readonly signingKey: string;
  /** That are kept free of trading, for prices. */
  readonly callsPerMinute: number;
}

export interface PrimeRequest {
  readonly method?: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
}

/** Whoever is told 429 is to wait for so long. */
const PATIENCE_MS = 30_000;
const DETAIL_CHARACTERS_MAX = 200;

/** Asks Coinbase Prime's REST API of the portfolio, signed as it documents: over time, method, path without its query, and body. */
export async function askPrime(
  settings: PrimeSettings,
  path: string,
  { method = 'GET', query = {}, body }: PrimeRequest = {},
): Promise<Result<HttpAnswer, BrokerUnavailable>> {
  const url = new URL(`${settings.baseUrl}/v1/portfolios/${encodeURIComponent(settings.portfolioId)}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const text = body === undefined ? '' : JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    accept: 'application/json',
    'X-CB-ACCESS-KEY': settings.accessKey,
    'X-CB-ACCESS-PASSPHRASE': settings.passphrase,
    'X-CB-ACCESS-TIMESTAMP': timestamp,
    'X-CB-ACCESS-SIGNATURE': await signatureOf(settings.signingKey, `${timestamp}${method}${url.pathname}${text}`),
  };
  const answer = await askHttp(url, { method, headers, body: text === '' ? null : text, patience_ms: PATIENCE_MS });
  // An order must not end because a key was mistyped, or lacks a permission.
  return answer.ok && answer.value.status === 403 ? unavailable('the keys are not taken') : answer;
}

export function refused(code: BrokerRefusal['code'], { body }: HttpAnswer) {
  const { message } = recordOf(body) ?? {};
  const detail = typeof message === 'string' ? message.slice(0, DETAIL_CHARACTERS_MAX) : '';
  return err({ reason: 'refused', code, detail } satisfies BrokerRefusal);
}

/** The rows of a list, and the cursor of the next page; null where it is none. */
export function pageOf(
  { status, body }: HttpAnswer,
  name: string,
): Result<{ readonly rows: readonly unknown[]; readonly next: string | null }, BrokerUnavailable> {
  const { [name]: rows, pagination } = recordOf(body) ?? {};
  if (status !== 200 || !Array.isArray(rows)) return unavailable(`${name} that cannot be read, status ${status}`);
  const { next_cursor, has_next } = recordOf(pagination) ?? {};
  const isThere = typeof next_cursor === 'string' && next_cursor !== '' && has_next !== false;
  return ok({ rows, next: isThere ? next_cursor : null });
}

async function signatureOf(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  // Without a key nothing is signed right, and it is the other side that says so.
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret || '-'), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, bytes.encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(mac)));
}
