import { type ChainTransport, RpcRefusal } from '../../domain/bridge/chains/chain-adapter.ts';

const ANSWER_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024;

/** A node or an indexer by HTTP. Answers are bounded in time and size; redirects are not followed. */
export function httpTransport(url: string): ChainTransport {
  const base = url.replace(/\/+$/, '');
  let id = 0;
  return {
    async rpc(method, params) {
      id += 1;
      const answer = await ask(base, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) });
      const { error, result } = answer as { error?: { code?: unknown; message?: unknown }; result?: unknown };
      if (error == null) return result;
      throw new RpcRefusal(Number(error.code ?? 0), `${method}: ${String(error.message ?? 'refused')}`);
    },
    get: (path) => ask(`${base}${path}`, { method: 'GET' }),
    post: (path, body) => {
      const isText = typeof body === 'string';
      return ask(`${base}${path}`, { method: 'POST', body: isText ? body : JSON.stringify(body) }, isText);
    },
  };
}

async function ask(url: string, request: { method: string; body?: string }, isText = false): Promise<unknown> {
  const type = isText ? 'text/plain' : 'application/json';
  const response = await fetch(url, {
    ...request,
    headers: request.body === undefined ? {} : { 'content-type': type },
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const text = await textOf(response);
  if (!response.ok && !isError(text)) throw new RpcRefusal(response.status, `${response.status} ${text.slice(0, 200)}`);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Some nodes answer errors of JSON-RPC with another status than 200. */
function isError(text: string): boolean {
  return text.startsWith('{') && text.includes('"jsonrpc"');
}

async function textOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
