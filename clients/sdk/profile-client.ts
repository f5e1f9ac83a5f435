import type { AnswerOf, CallOptions, Method, Options, PathOf, Rest } from './wire/call-types.ts';
import { ExchangeError } from './wire/failure.ts';
import { writeJson } from './wire/json.ts';
import { withNumbers } from './wire/numbers-of-body.ts';
import type { Operations } from './wire/operations.ts';
import { Transport, type TransportOptions } from './wire/transport.ts';

type Values = Readonly<Record<string, unknown>>;

interface LooseOptions extends CallOptions {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: unknown;
}

const NEXT = /<([^>]*)>\s*;\s*rel="?next"?/;

/**
 * Calls of one profile, typed by its OpenAPI document. Numbers of answers are decimals as text, and those of a body are given so; both are
 * JSON numbers on the wire. Every call throws `ExchangeError` where it does not succeed.
 *
 * @example
 * const book = new BookClient({ baseUrl: 'https://exchange.example/book' });
 * const { bids } = await book.get('/v1/orderbook/{symbol}', { path: { symbol: 'ACME-USD' }, query: { depth: 5 } });
 */
export class ProfileClient<Paths extends object> {
  readonly transport: Transport;
  readonly #operations: Operations;

  constructor(options: TransportOptions, operations: Operations) {
    this.transport = new Transport(options);
    this.#operations = operations;
  }

  get<P extends PathOf<Paths, 'get'>>(path: P, ...rest: Rest<Of<Paths, P, 'get'>>) {
    return this.#call<Of<Paths, P, 'get'>>('get', path, rest[0]);
  }

  post<P extends PathOf<Paths, 'post'>>(path: P, ...rest: Rest<Of<Paths, P, 'post'>>) {
    return this.#call<Of<Paths, P, 'post'>>('post', path, rest[0]);
  }

  put<P extends PathOf<Paths, 'put'>>(path: P, ...rest: Rest<Of<Paths, P, 'put'>>) {
    return this.#call<Of<Paths, P, 'put'>>('put', path, rest[0]);
  }

  patch<P extends PathOf<Paths, 'patch'>>(path: P, ...rest: Rest<Of<Paths, P, 'patch'>>) {
    return this.#call<Of<Paths, P, 'patch'>>('patch', path, rest[0]);
  }

  delete<P extends PathOf<Paths, 'delete'>>(path: P, ...rest: Rest<Of<Paths, P, 'delete'>>) {
    return this.#call<Of<Paths, P, 'delete'>>('delete', path, rest[0]);
  }

  /** The pages of a list, as its Link header leads on. A page may be empty and yet not be the last. */
  async *pages<P extends PathOf<Paths, 'get'>>(
    path: P,
    ...rest: Rest<Of<Paths, P, 'get'>>
  ): AsyncGenerator<AnswerOf<Of<Paths, P, 'get'>>, void, undefined> {
    const options = (rest[0] ?? {}) as LooseOptions;
    let at: string | null = addressOf(path, options);
    while (at !== null) {
      const answer = await this.transport.send({
        method: 'GET',
        operation: `GET ${path}`,
        path: at,
        isRepeatable: true,
        signal: options.signal,
      });
      yield answer.body as AnswerOf<Of<Paths, P, 'get'>>;
      const next: string | undefined = NEXT.exec(answer.headers.get('link') ?? '')?.[1];
      at = next === undefined ? null : this.#within(next, path);
    }
  }

  #within(href: string, path: string): string {
    const within = this.transport.pathWithin(href);
    if (within !== null) return within;
    const message = `the next page of ${path} is at another address, which gets no credential of ours`;
    throw new ExchangeError({ kind: 'no_answer', message });
  }

  async #call<O>(method: Method, path: string, options: Options<O> | undefined): Promise<AnswerOf<O>> {
    const given = (options ?? {}) as LooseOptions;
    const name = method.toUpperCase();
    const operation = this.#operations[`${name} ${path}`];
    const { body } = await this.transport.send({
      method: name,
      operation: `${name} ${path}`,
      path: addressOf(path, given),
      body: given.body === undefined ? undefined : written(given.body, operation?.numbers ?? []),
      isRepeatable: operation?.isRepeatable === true,
      idempotencyKey: given.idempotencyKey,
      signal: given.signal,
    });
    return body as AnswerOf<O>;
  }
}

type Of<Paths, P extends keyof Paths, M extends Method> = Paths[P] extends Record<M, infer O> ? O : never;

function written(body: unknown, numbers: readonly string[]): string | FormData {
  return body instanceof FormData ? body : writeJson(withNumbers(body, numbers));
}

/** @throws RangeError where a part of the path is missing, or is one that a URL drops */
function addressOf(path: string, { path: parts = {}, query = {} }: LooseOptions): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = String(parts[name] ?? '');
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`${name} is missing in ${path}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}
