import { type Answer, answeredBy, retryAfterMs } from './answer.ts';
import { Clock } from './clock.ts';
import type { Credentials } from './credentials.ts';
import { type Answered, ExchangeError, type Failure, failureOf, OTHER_REQUEST } from './failure.ts';
import { parseJson } from './json.ts';
import { RateLimits } from './rate-limits.ts';
import { PLATFORM, type Seams } from './seams.ts';

export interface TransportOptions {
  /** Of a profile: `https://exchange.example/book`. Its paths, `/v1/…`, follow. */
  readonly baseUrl: string;
  /** None for what is public. */
  readonly credentials?: Credentials;
  /** Tries of one call, the first included. */
  readonly triesMax?: number;
  /** Longest wait before a further try, whatever the exchange asks for. */
  readonly waitMsMax?: number;
  /** After which a try without an answer counts as lost. */
  readonly timeoutMs?: number;
  readonly seams?: Partial<Seams>;
}

interface Call {
  readonly method: string;
  /** Method and path as the documents have them, `DELETE /v1/orders/{order_id}`. */
  readonly operation: string;
  /** Path with query, behind the base. */
  readonly path: string;
  readonly body?: string | FormData | undefined;
  readonly isRepeatable: boolean;
  /** One is made where it is left out. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TRIES_MAX = 6;
const WAIT_MS_MAX = 15_000;
const WAIT_FIRST_MS = 250;
const TIMEOUT_MS = 30_000;
const HOLD_MS_MAX = 1_000;
/** Statuses of a request that was turned away before anybody looked at its Idempotency-Key. */
const BEFORE_THE_KEY: readonly number[] = [401, 403, 408, 429];

/** An answer of success. */
interface Received {
  readonly headers: Headers;
  /** JSON with its numbers as text, another text as it is, anything else as bytes; undefined where there is none. */
  readonly body: unknown;
}

/** What a try came to: an answer of success, a reason to try again, or the end. */
type Came =
  | { readonly is: 'answer'; readonly answer: Received }
  | { readonly is: 'again'; readonly afterMs: number | null; readonly otherwise: Failure }
  | { readonly is: 'over'; readonly failure: Failure };

/** What is known of a call over all its tries. */
interface Progress {
  mayBeDone: boolean;
  isRenewed: boolean;
  answer: Answered | null;
}

/** Sends calls of one profile: proves who calls, waits where it is told to, and repeats a change under the same key until its outcome is known. */
export class Transport {
  readonly clock: Clock;
  readonly limits = new RateLimits();
  readonly #base: URL;
  readonly #credentials: Credentials | null;
  readonly #seams: Seams;
  readonly #triesMax: number;
  readonly #waitMsMax: number;
  readonly #timeoutMs: number;

  constructor(options: TransportOptions) {
    this.#base = new URL(options.baseUrl.replace(/\/+$/, ''));
    this.#credentials = options.credentials ?? null;
    this.#seams = { ...PLATFORM, ...options.seams };
    this.#triesMax = options.triesMax ?? TRIES_MAX;
    this.#waitMsMax = options.waitMsMax ?? WAIT_MS_MAX;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.clock = new Clock(this.#seams.now);
  }

  /** The path of an address behind this base, or null where it leads elsewhere: no credential goes there. */
  pathWithin(href: string): string | null {
    const url = new URL(href, this.#base);
    const prefix = this.#base.pathname === '/' ? '' : this.#base.pathname;
    if (url.origin !== this.#base.origin || !url.pathname.startsWith(`${prefix}/`)) return null;
    return url.pathname.slice(prefix.length) + url.search;
  }

  /** @throws ExchangeError */
  async send(call: Call): Promise<Received> {
    const isRead = call.method === 'GET';
    const key = call.idempotencyKey ?? crypto.randomUUID();
    const progress: Progress = { mayBeDone: false, isRenewed: false, answer: null };
    for (let tries = 1; ; tries++) {
      const came = isAborted(call) ? ABORTED : await this.#try(call, key, isRead, progress);
      if (came.is === 'answer') return came.answer;
      const failure = came.is === 'over' ? came.failure : came.otherwise;
      const mayRepeat = isRead || call.isRepeatable || !progress.mayBeDone;
      if (came.is === 'over' || !mayRepeat || tries >= this.#triesMax) throw this.#ended(call, key, progress, failure);
      const backOffMs = WAIT_FIRST_MS * 2 ** (tries - 1) * (0.5 + this.#seams.random() / 2);
      // Whoever stops waiting is told by the next turn of the loop.
      await this.#seams.pause(Math.min(came.afterMs ?? backOffMs, this.#waitMsMax), call.signal).catch(() => {});
    }
  }

  /** A refusal of a later try says nothing of an earlier one that got no answer, unless the exchange had looked at its key by then. */
  #ended(call: Call, idempotencyKey: string, { mayBeDone, answer }: Progress, failure: Failure): ExchangeError {
    const isOfKey = failure.kind === 'refused' && call.isRepeatable && !BEFORE_THE_KEY.includes(failure.status);
    const isOtherRequest = isOfKey && failure.code === OTHER_REQUEST;
    if (!isOtherRequest && (!mayBeDone || isOfKey)) return new ExchangeError(failure);
    const isRepeatable = call.isRepeatable && !isOtherRequest;
    const message = `${call.operation} may have been done: ${failure.message}`;
    return new ExchangeError({ kind: 'outcome_unknown', message, idempotencyKey, isRepeatable, answer });
  }

  async #try(call: Call, key: string, isRead: boolean, progress: Progress): Promise<Came> {
    const holdMs = this.limits.holdMs(call.operation, this.#seams.now() + this.clock.skewMs, HOLD_MS_MAX);
    if (holdMs > 0) await this.#seams.pause(holdMs, call.signal).catch(() => {});
    if (isAborted(call)) return ABORTED;
    let request: { readonly url: string; readonly init: RequestInit };
    try {
      request = await this.#requestOf(call, key);
    } catch (error) {
      // A token could not be had: this try has sent nothing.
      return { is: 'over', failure: failed(error) };
    }
    const sentAt = this.#seams.now();
    let answer: Answer;
    try {
      answer = await this.#fetched(call, request);
      if (answer.status >= 200 && answer.status < 300) {
        this.limits.told(call.operation, answer.headers);
        return { is: 'answer', answer: { headers: answer.headers, body: bodyOf(answer) } };
      }
    } catch (error) {
      progress.mayBeDone ||= !isRead;
      if (isAborted(call)) return ABORTED;
      return { is: 'again', afterMs: null, otherwise: failed(error) };
    }
    this.limits.told(call.operation, answer.headers);
    progress.answer = answeredBy(answer);
    return this.#judged(answer, progress.answer, sentAt, isRead, progress);
  }

  async #judged(answer: Answer, said: Answered, sentAt: number, isRead: boolean, progress: Progress): Promise<Came> {
    const afterMs = retryAfterMs(answer.headers);
    const { status, code, details } = said;
    if (status === 401 && !progress.isRenewed) {
      try {
        progress.isRenewed = await this.#renewed(details, sentAt);
      } catch (error) {
        return { is: 'over', failure: failed(error) };
      }
      if (progress.isRenewed) return { is: 'again', afterMs: 0, otherwise: { kind: 'unauthorized', ...said } };
    }
    if (status === 401 || code === 'FORBIDDEN' || code === 'STEP_UP_REQUIRED')
      return { is: 'over', failure: { kind: 'unauthorized', ...said } };
    if (status === 429)
      return { is: 'again', afterMs, otherwise: { kind: 'rate_limited', retryAfterMs: afterMs ?? 0, ...said } };
    if (status === 408) return { is: 'again', afterMs, otherwise: { kind: 'refused', ...said } };
    const isOpen =
      (status >= 500 && code !== 'MODEL_UNAVAILABLE') || (status === 409 && details.reason === 'in_flight');
    if (!isOpen) return { is: 'over', failure: { kind: 'refused', ...said } };
    progress.mayBeDone ||= !isRead;
    return { is: 'again', afterMs, otherwise: { kind: 'unavailable', ...said } };
  }

  /** A clock that was wrong is put right; a token that has ended is fetched anew. */
  async #renewed(details: Readonly<Record<string, unknown>>, sentAt: number): Promise<boolean> {
    if (details.reason === 'timestamp_stale') {
      const serverTime = Number(details.server_time ?? details.serverTime ?? Number.NaN);
      if (!Number.isFinite(serverTime)) return false;
      this.clock.measured(serverTime, sentAt, this.#seams.now());
      return true;
    }
    return (await this.#credentials?.renew()) ?? false;
  }

  async #requestOf(call: Call, key: string): Promise<{ readonly url: string; readonly init: RequestInit }> {
    const url = new URL(this.#base.href.replace(/\/$/, '') + call.path);
    const { body = '', method, signal } = call;
    const signed = {
      method,
      path: url.pathname + url.search,
      body: typeof body === 'string' ? body : '',
      clock: this.clock,
    };
    const proof = (await this.#credentials?.headersOf({ ...signed, signal })) ?? {};
    const headers = new Headers({ accept: 'application/json', ...proof });
    if (call.isRepeatable) headers.set('idempotency-key', key);
    if (typeof call.body === 'string') headers.set('content-type', 'application/json');
    return {
      url: url.href,
      init: { method, headers, redirect: 'manual', ...(call.body !== undefined && { body: call.body }) },
    };
  }

  async #fetched(call: Call, { url, init }: { url: string; init: RequestInit }): Promise<Answer> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
    const response = await this.#seams.fetch(url, { ...init, signal });
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  }
}

const ABORTED: Came = { is: 'over', failure: { kind: 'aborted', message: 'the caller has ended the call' } };

function isAborted({ signal }: Call): boolean {
  return signal?.aborted === true;
}

function failed(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return failureOf(error) ?? { kind: 'no_answer', message };
}

function bodyOf({ headers, bytes }: Answer): unknown {
  if (bytes.length === 0) return undefined;
  const type = headers.get('content-type') ?? '';
  if (!/^(application\/([^;]*\+)?json|text\/)/.test(type)) return bytes;
  const text = new TextDecoder().decode(bytes);
  return type.startsWith('text/') ? text : parseJson(text);
}
