import { type ChainTransport, RpcRefusal } from '../../domain/bridge/chains/chain-adapter.ts';

/** A node that answers nothing for so long is away. */
const ANSWER_MS_MAX = 10_000;
/** Answers of nodes are longer than what is asked of them, and not without end. */
const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024;
/** Of a refusal, so much is kept. */
const REFUSAL_LENGTH_MAX = 2_000;

/** What is sent as it is; everything else goes as JSON. */
type Sent = string | Uint8Array<ArrayBuffer> | Blob | URLSearchParams;

/** What opens a node: headers, or those of each request, whose body is a text. */
export type TransportHeaders =
  | Readonly<Record<string, string>>
  | ((request: { readonly url: string; readonly body: string }) => Promise<Readonly<Record<string, string>>>);

/**
 * A node or an indexer over HTTP: JSON-RPC at its address, REST below it. Answers are bounded in time and size; redirects are not followed. What a node refuses is an `RpcRefusal`,
 * of JSON-RPC with the whole error as JSON.
 *
 * @param headers what opens it
 */
export function httpTransport(address: string, headers: TransportHeaders = {}): ChainTransport {
  const base = address.replace(/\/+$/, '');
  let calls = 0;

  async function ask(url: string, body?: unknown): Promise<unknown> {
    const sent = body === undefined || isSent(body) ? body : JSON.stringify(body);
    const opening = typeof headers === 'function' ? await headers({ url, body: String(sent ?? '') }) : headers;
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...opening, accept: 'application/json, text/plain', ...typeOf(body) },
      ...(sent === undefined ? {} : { body: sent }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const text = await textOf(response);
    const answer = jsonOf(text);
    if (response.ok || errorOf(answer) !== null) return answer;
    throw new RpcRefusal(response.status, text.slice(0, REFUSAL_LENGTH_MAX));
  }

  return {
    async rpc(method, params) {
      calls += 1;
      const answer = await ask(base, { jsonrpc: '2.0', id: calls, method, params });
      const error = errorOf(answer);
      if (error !== null) throw new RpcRefusal(error.code, JSON.stringify(error).slice(0, REFUSAL_LENGTH_MAX));
      if (typeof answer !== 'object' || answer === null || !('result' in answer))
        throw new Error(`${method}: no answer of JSON-RPC`);
      return answer.result;
    },
    get: (path) => ask(`${base}${path}`),
    post: (path, body) => ask(`${base}${path}`, body),
  };
}

function isSent(body: unknown): body is Sent {
  return typeof body === 'string' || [Uint8Array, Blob, URLSearchParams].some((kind) => body instanceof kind);
}

function typeOf(body: unknown): Readonly<Record<string, string>> {
  if (body === undefined || body instanceof URLSearchParams || body instanceof Blob) return {};
  if (body instanceof Uint8Array) return { 'content-type': 'application/octet-stream' };
  return { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' };
}

/** The error of an answer of JSON-RPC; null where it has none. */
function errorOf(answer: unknown): { readonly code: number } | null {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return null;
  const { error } = answer;
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  return { ...error, code: 'code' in error ? Number(error.code) : 0 };
}

/** Some nodes answer a text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @throws Error where it is too long */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > ANSWER_BYTES_MAX) throw new Error('the answer of the node is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
