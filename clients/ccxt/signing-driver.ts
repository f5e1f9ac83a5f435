import { sha256 } from '@noble/hashes/sha2.js';
import { type Dict, Exchange, ExchangeNotAvailable, type Int, InvalidNonce, type NullableDict, type Str } from 'ccxt';
import { isErrorCode } from '../../protocol/errors/error-code.ts';
import { bookOperations } from '../sdk/generated/book-operations.ts';
import { writeJson } from '../sdk/wire/json.ts';
import { withNumbers } from '../sdk/wire/numbers-of-body.ts';
import { DESCRIPTION } from './description.ts';
import { CLASS_OF_CODE } from './error-classes.ts';

/** Parameter of a call that goes out as the header Idempotency-Key. */
export const IDEMPOTENCY_KEY = 'idempotencyKey';

/** How a call goes out, and what an answer that is no success is thrown as. */
export class SigningDriver extends Exchange {
  #stamped = 0;
  /** Where lists go on, by the answer that has their page. */
  readonly #cursors = new WeakMap<object, string>();

  override describe(): unknown {
    return this.deepExtend(super.describe(), DESCRIPTION);
  }

  /** Unix milliseconds of the exchange; each is given out once, because a signature serves once. */
  override nonce(): number {
    this.#stamped = Math.max(
      this.milliseconds() - (this.safeInteger(this.options, 'timeDifference') ?? 0),
      this.#stamped + 1,
    );
    return this.#stamped;
  }

  override sign(
    path: string,
    api: 'public' | 'private' = 'public',
    method = 'GET',
    params: Dict = {},
    headers: NullableDict = undefined,
    body: Str = undefined,
  ): Dict {
    const { [IDEMPOTENCY_KEY]: key, ...given } = params;
    const base = this.implodeHostname((this.urls.api as Record<string, string>)[api] ?? '');
    const rest = this.omit(given, this.extractParams(path)) as Dict;
    const hasBody = method === 'POST' || method === 'PATCH' || (method === 'DELETE' && path.endsWith('/batch'));
    const query = !hasBody && Object.keys(rest).length > 0 ? `?${this.urlencode(rest)}` : '';
    const url = new URL(`${base}/${this.implodeParams(path, escaped(given))}${query}`);
    const operation = bookOperations[`${method} /${path}`];
    const text = body ?? (hasBody ? writeJson(withNumbers(rest, operation?.numbers ?? [])) : '');
    const said: Dict = { ...headers };
    if (hasBody) said['content-type'] = 'application/json';
    if (operation?.isRepeatable === true) said['idempotency-key'] = key ?? this.uuid();
    if (api === 'private') {
      this.checkRequiredCredentials();
      Object.assign(said, this.#proof(method, url.pathname + url.search, text));
    }
    return { url: url.href, method, body: hasBody ? text : undefined, headers: said };
  }

  /** A batch draws on the budget of orders, ten a second, by what it carries. */
  override calculateRateLimiterCost(
    api: unknown,
    method: string,
    path: string,
    params: Dict,
    config: Dict = {},
  ): number {
    const own: number = super.calculateRateLimiterCost(api, method, path, params, config);
    const carried =
      path === 'v1/orders/batch' && method === 'POST' ? (this.safeList(params, 'orders') ?? []).length : 0;
    return Math.max(own, carried / 2);
  }

  /** HMAC-SHA256 under the secret over timestamp, method, path with query and the hash of the body (docs/rest.md). */
  #proof(method: string, path: string, body: string): Dict {
    const timestamp = String(this.nonce());
    const bodyHash = this.hash(this.encode(body), sha256, 'hex');
    const signed = `${timestamp}\n${method}\n${path}\n${bodyHash}`;
    return {
      'x-api-key': this.apiKey,
      'x-api-timestamp': timestamp,
      'x-api-signature': this.hmac(this.encode(signed), this.encode(this.secret), sha256, 'hex'),
    };
  }

  override handleErrors(
    status: Int,
    _statusText: string,
    _url: string,
    _method: string,
    headers: Dict,
    _text: string,
    body: unknown,
    _requestHeaders: unknown,
    _requestBody: unknown,
  ): undefined {
    // The one place where ccxt shows the headers of an answer together with its body.
    const next = /<([^>]+)>\s*;\s*rel="next"/.exec(this.safeString(headers, 'Link') ?? '')?.[1];
    const cursor = next === undefined ? null : new URL(next).searchParams.get('cursor');
    if (cursor !== null && typeof body === 'object' && body !== null) this.#cursors.set(body, cursor);
    const error = this.safeDict(body, 'error') as Dict | undefined;
    if (status === undefined || status < 400 || error === undefined) return undefined;
    throw this.errorOf(error);
  }

  /** Where the list goes on of which this answer is a page; undefined on its last. */
  protected nextCursorOf(answer: unknown): string | undefined {
    return typeof answer === 'object' && answer !== null ? this.#cursors.get(answer) : undefined;
  }

  /** ccxt's error for the exchange's: its message carries the whole of it. */
  protected errorOf(error: Dict): Error {
    const code = this.safeString(error, 'code') ?? '';
    const reason = this.safeString(this.safeDict(error, 'details'), 'reason');
    const feedback = `${this.id} ${this.json(error)}`;
    // The first try of the same request has not ended: whoever asks again, with the same key, is told.
    if (reason === 'in_flight') return new ExchangeNotAvailable(feedback);
    if (reason === 'timestamp_stale') return new InvalidNonce(feedback);
    const Class = isErrorCode(code) ? CLASS_OF_CODE[code] : ExchangeNotAvailable;
    return new Class(feedback);
  }
}

/** Parts of a path as an address takes them. */
function escaped(params: Dict): Dict {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? encodeURIComponent(value) : value,
    ]),
  );
}
