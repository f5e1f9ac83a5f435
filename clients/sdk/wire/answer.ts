import type { Answered } from './failure.ts';
import { parseJson } from './json.ts';

/** An answer of HTTP, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

interface WireError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}

/** What an answer that is no success says, in the shape of the API or in that of OAuth (RFC 6749, 5.2). */
export function answeredBy({ status, headers, bytes }: Answer): Answered {
  const { code, message, details } = errorIn(new TextDecoder().decode(bytes));
  return {
    status,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    message: typeof message === 'string' ? message : `the answer was ${status}`,
    details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
    requestId: headers.get('x-request-id'),
  };
}

function errorIn(text: string): WireError {
  try {
    const body = parseJson(text) as { error?: WireError | string; error_description?: string } | null;
    if (typeof body?.error === 'string') return { code: body.error, message: body.error_description ?? body.error };
    return body?.error ?? {};
  } catch {
    return {};
  }
}

/** Milliseconds of Retry-After, which the exchange writes in seconds; null where there is none. */
export function retryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
