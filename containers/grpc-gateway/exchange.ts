import { Pool } from 'undici';
import { err, ok, type Result } from '../../domain/result.ts';
import { GIVEN_UP, type RpcFailure, rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import type { Headers } from './forwarded-headers.ts';

/** Requests under way to the exchange; more wait in line, as long as their deadlines allow. */
const CONNECTIONS_MAX = 256;
/** For calls that set no deadline. */
const TIMEOUT_MS = 30_000;
/** A book of 1,000 levels a side is some 100 KB. */
const ANSWER_BYTES_MAX = 4 * 1_024 * 1_024;

/** A REST call of the order-book profile. */
interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the profile, with query: `/v1/orders`. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Ends the call: its deadline, or the client. */
  readonly signal: AbortSignal;
}

/** The body of a REST answer, or what it failed with. */
interface ExchangeAnswer {
  readonly result: Result<unknown, RpcFailure>;
  readonly headers: AnswerHeaders;
}

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Exchange {
  call(request: ExchangeRequest): Promise<ExchangeAnswer>;
  /** Whether the order-book profile answers its /healthz. */
  isHealthy(): Promise<boolean>;
  /** Address of a feed of the profile, with its prefix. */
  feedUrl(pathWithQuery: string): URL;
  close(): Promise<void>;
}

/** The exchange behind the gateway, over connections that are kept. */
export function connectExchange(url: URL): Exchange {
  const pool = new Pool(url.origin, {
    connections: CONNECTIONS_MAX,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  const prefix = url.pathname.replace(/\/$/, '');
  return {
    async call({ method, path, headers, body, signal }) {
      try {
        const answer = await pool.request({
          method,
          path: prefix + path,
          headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          body: body ?? null,
          signal,
        });
        return read(answer.statusCode, answer.headers, await answer.body.text());
      } catch {
        return { result: err(signal.aborted ? GIVEN_UP : unreachable(method)), headers: {} };
      }
    },
    async isHealthy() {
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS / 10);
        const { statusCode, body } = await pool.request({ method: 'GET', path: `${prefix}/healthz`, signal });
        await body.dump();
        return statusCode === 200;
      } catch {
        return false;
      }
    },
    feedUrl(pathWithQuery) {
      const feed = new URL(prefix + pathWithQuery, url);
      feed.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      return feed;
    },
    close: () => pool.close(),
  };
}

function read(status: number, headers: AnswerHeaders, text: string): ExchangeAnswer {
  const body = parse(text);
  return { result: status === 200 && body !== undefined ? ok(body) : err(failureOfBody(body)), headers };
}

/** The failure that an error body of the exchange states; something in between answered when it is none. */
export function failureOfBody(body: unknown): RpcFailure {
  const error = (body as { error?: { code?: unknown; message?: unknown; details?: unknown } } | undefined)?.error;
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    return rpcFailure('SERVICE_UNAVAILABLE', 'the exchange gave no answer of its own');
  }
  return rpcFailure(error.code, error.message, (error.details ?? {}) as Record<string, unknown>);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(method: ExchangeRequest['method']): RpcFailure {
  return rpcFailure(
    'SERVICE_UNAVAILABLE',
    method === 'GET'
      ? 'the exchange is out of reach'
      : 'no answer from the exchange: repeat with the same client_order_id or idempotency-key to learn the outcome',
  );
}
