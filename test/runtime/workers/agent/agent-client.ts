import { callWorker } from '../../fixtures/call-worker.ts';
import type { Trader } from '../../fixtures/create-trader.ts';
import { tokenWith } from '../../fixtures/forged-token.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';

export const MCP = 'http://localhost/agent/mcp';

export interface ToolAnswer {
  readonly structured: Record<string, unknown> | null;
  /** Text blocks, in order. */
  readonly texts: readonly string[];
  /** The exchange's error object of a failed call, else null. */
  readonly error: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> } | null;
}

/** Speaks MCP over Streamable HTTP, one message a request, as somebody. */
export class AgentClient {
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  post(message: unknown, headers: Readonly<Record<string, string>> = {}, query = ''): Promise<Response> {
    return callWorker(`${MCP}${query}`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'cf-connecting-ip': freshAddress(),
        ...this.#headers,
        ...headers,
      },
      body: JSON.stringify(message),
    });
  }

  /** The answer to a request: its `result`, or its `error`. */
  async request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const response = await this.post({ jsonrpc: '2.0', id: 1, method, params });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  async tool(
    name: string,
    parameters: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<ToolAnswer> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } };
    const response = await this.post(message, headers);
    const { result } = (await response.json()) as {
      result: { isError?: boolean; structuredContent?: Record<string, unknown>; content: { text: string }[] };
    };
    const texts = result.content.map(({ text }) => text);
    const error = result.isError === true ? JSON.parse(texts[0] ?? '').error : null;
    return { structured: result.structuredContent ?? null, texts, error };
  }
}

/** A client that bears an access token of the trader. */
export async function agentOf(trader: Trader, headers: Record<string, string> = {}): Promise<AgentClient> {
  return new AgentClient({ ...(await bearerOf(trader)), ...headers });
}

export async function bearerOf(trader: Trader): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await tokenWith({ subject: trader.userId, owner: trader.owner })}` };
}
