import { exports } from 'cloudflare:workers';

/** An answer of the running Worker with its body read: JSON where it says so, else text. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** A body as it stands, in place of the two. */
  readonly body?: string | ArrayBuffer | ReadableStream;
  /** Address of the caller; one of its own when left out, so that no test draws on another's rate limit. */
  readonly address?: string;
}

/** @param target `METHOD path`, on localhost, or `METHOD url` */
export async function call(target: string, options: CallOptions = {}): Promise<Answer> {
  const [method = '', where = ''] = target.split(' ');
  const { headers, json, form, body, address = freshAddress() } = options;
  const response = await exports.default.fetch(where.startsWith('/') ? `http://localhost${where}` : where, {
    method,
    headers: {
      'cf-connecting-ip': address,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export function freshAddress(): string {
  return `10.${crypto.getRandomValues(new Uint8Array(3)).join('.')}`;
}

/** The code of an error answer, or null for any other. Answers over Connect carry it in a header. */
export function codeOf({ body, headers }: Answer): string | null {
  const error = (body as { error?: { code?: string } }).error;
  return error?.code ?? headers.get('x-error-code');
}
