import { answeredBy } from './answer.ts';
import { ExchangeError } from './failure.ts';
import type { Seams } from './seams.ts';

const TIMEOUT_MS = 30_000;

/**
 * What a POST for a token is answered.
 *
 * @throws ExchangeError, whatever goes wrong
 */
export async function fetchJson(fetch: Seams['fetch'], url: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  let bytes: Uint8Array;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(url, { method: 'POST', redirect: 'manual', signal, ...init });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw unread(url, error);
  }
  const { status, headers } = response;
  if (status < 200 || status >= 300) {
    const kind = status >= 500 ? 'unavailable' : 'unauthorized';
    throw new ExchangeError({ kind, ...answeredBy({ status, headers, bytes }) });
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw unread(url, error);
  }
}

/** Of an answer of success that cannot be read. */
export function unread(url: string, error: unknown): ExchangeError {
  return new ExchangeError({ kind: 'no_answer', message: `no token of ${url}: ${String(error)}` });
}
