import { type ChainTransport, RpcRefusal } from '../../domain/bridge/chains/chain-adapter.ts';

/** A node that answers nothing for so long is away. */
const ANSWER_WAIT_MS = 10_000;
/** Answers of nodes are longer than what is asked of them, and not without end. */
const NODE_ANSWER_BYTES_MAX = 4_000_000;

/**
 * A node over HTTP: JSON-RPC at its address, REST below it.
 *
 * @param headers what opens it
 */
export function httpTransport(address: string, headers: Readonly<Record<string, string>> = {}): ChainTransport {
  let calls = 0;
  const below = (path: string) => new URL(path.replace(/^\//, ''), address.endsWith('/') ? address : `${address}/`);

  async function ask(url: URL, body: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    });
    const text = await textOf(response);
    const answer = jsonOf(text);
    if (response.ok || isRpcError(answer)) return answer;
    throw new RpcRefusal(response.status, text.slice(0, 200));
  }

  return {
    async rpc(method, params) {
      const answer = await ask(new URL(address), { jsonrpc: '2.0', id: ++calls, method, params });
      if (isRpcError(answer)) throw new RpcRefusal(answer.error.code, answer.error.message.slice(0, 200));
      if (typeof answer !== 'object' || answer === null || !('result' in answer))
        throw new Error(`${method}: no answer`);
      return answer.result;
    },
    get: (path) => ask(below(path), undefined),
    post: (path, body) => ask(below(path), body),
  };
}

/** Some nodes answer a text, not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isRpcError(
  answer: unknown,
): answer is { readonly error: { readonly code: number; readonly message: string } } {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return false;
  const { error } = answer;
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}

/** @throws Error where it is too long */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > NODE_ANSWER_BYTES_MAX) throw new Error('the node’s answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
