import type { BrokerUnavailable } from '../../domain/broker/broker-client.ts';
import { err, ok, type Result } from '../../domain/result.ts';

export interface HttpAnswer {
  readonly status: number;
  /** Parsed JSON; null without a body. */
  readonly body: unknown;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null for none. */
  readonly body: string | null;
  /** How long it is left alone after a 429 that does not say for how long; null where that is not known either. */
  readonly patience_ms?: number | null;
}

const ANSWER_MS_MAX = 10_000;
/** 500 orders are about half of that. */
const BODY_CHARACTERS_MAX = 2_000_000;

/** Asks a broker over HTTP. No answer, one that asks for patience, keys that are not taken and what cannot be read are `unavailable`. */
export async function askHttp(url: URL, request: HttpRequest): Promise<Result<HttpAnswer, BrokerUnavailable>> {
  const { method, headers, body, patience_ms = null } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
      body,
      // An answer from elsewhere is none of the broker's, and must not be given its keys.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const text = await response.text();
    const { status } = response;
    if (status === 429) return unavailable(`status ${status}`, retryAfterOf(response) ?? patience_ms);
    if (status >= 500) return unavailable(`status ${status}`, retryAfterOf(response));
    if (status === 401 || (status >= 300 && status < 400)) return unavailable(`status ${status}`);
    if (text.length > BODY_CHARACTERS_MAX) return unavailable('an answer beyond bounds');
    return ok({ status, body: text === '' ? null : (JSON.parse(text) as unknown) });
  } catch (error) {
    return unavailable(error instanceof Error ? error.name : 'no answer');
  }
}

export function unavailable(detail: string, retryAfter_ms: number | null = null) {
  return err({ reason: 'unavailable', retryAfter_ms, detail } satisfies BrokerUnavailable);
}

/** The object that a value is; null for anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1_000) : null;
}
