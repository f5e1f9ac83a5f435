import { Pool } from 'undici';
import { nextCursorOf } from '../../../protocol/next-cursor.ts';

const CONNECTIONS_MAX = 64;
/** A request without an answer after this time is not on its way any more. */
export const TIMEOUT_MS = 15_000;

/** Headers of one caller: its credentials and its address. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** What the order-book profile has answered. */
export type ExchangeAnswer =
  | { readonly type: 'ok'; readonly body: unknown; readonly next: string | null }
  /** It has decided: nothing was done. `remaining` is what its limit leaves. */
  | {
      readonly type: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly remaining: number;
    }
  /** Nobody knows what was done. */
  | { readonly type: 'unknown' };

export interface Exchange {
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    caller: CallerHeaders,
    body?: unknown,
  ): Promise<ExchangeAnswer>;
  isHealthy(): Promise<boolean>;
  readonly feedUrl: URL;
  close(): Promise<void>;
}

/** The order-book profile at `url`, over connections that are kept. */
export function connectExchange(url: URL): Exchange {
  const pool = new Pool(url.origin, {
    connections: CONNECTIONS_MAX,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const prefix = url.pathname.replace(/\/$/, '');
  const feedUrl = new URL(`${prefix}/v1/ws`, url);
  feedUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return {
    feedUrl,
    async call(method, path, caller, body) {
      try {
        const answer = await pool.request({
          method,
          path: prefix + path,
          headers: body === undefined ? caller : { ...caller, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        });
        return read(answer.statusCode, answer.headers, JSON.parse(await answer.body.text()));
      } catch {
        return { type: 'unknown' };
      }
    },
    async isHealthy() {
      try {
        const { statusCode, body } = await pool.request({ method: 'GET', path: `${prefix}/healthz` });
        await body.dump();
        return statusCode === 200;
      } catch {
        return false;
      }
    },
    close: () => pool.destroy(),
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function read(status: number, headers: Headers, body: unknown): ExchangeAnswer {
  if (status === 200)
    return { type: 'ok', body, next: nextCursorOf(headers.link === undefined ? null : String(headers.link)) };
  if (status >= 500) return { type: 'unknown' };
  const {
    code = 'INTERNAL_ERROR',
    message = '',
    details = {},
  } = (body as { error?: { code?: string; message?: string; details?: Record<string, unknown> } }).error ?? {};
  const remaining = Number(headers['x-ratelimit-remaining'] ?? 0);
  return { type: 'refused', status, code, message, details, remaining };
}
