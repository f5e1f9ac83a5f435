import { Agent, request } from 'node:http';

/** Time allowed to one request. */
const REQUEST_TIMEOUT_MS = 10_000;

export interface Load {
  readonly url: URL;
  readonly connections: number;
  readonly requests: number;
  /** Headers and JSON body of the request with this number. */
  readonly requestOf: (index: number) => { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export interface LoadResult {
  readonly requests_per_s: number;
  /** From writing the request to the end of its answer; ascending. */
  readonly latencies_ms: readonly number[];
}

/** POSTs over as many keep-alive connections, each with one request under way. Throws at the first answer that is not 200. */
export async function load({ url, connections, requests, requestOf }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies_ms: number[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < requests) {
      const sent = requestOf(next++);
      const from = performance.now();
      await post(agent, url, sent.headers, sent.body);
      latencies_ms.push(performance.now() - from);
    }
  };
  try {
    const from = performance.now();
    await Promise.all(Array.from({ length: connections }, client));
    const seconds = (performance.now() - from) / 1_000;
    return { requests_per_s: requests / seconds, latencies_ms: latencies_ms.sort((a, b) => a - b) };
  } finally {
    agent.destroy();
  }
}

function post(agent: Agent, url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: REQUEST_TIMEOUT_MS }, (response) => {
      if (response.statusCode === 200) {
        response.on('end', resolve);
        response.resume();
        return;
      }
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => reject(new Error(`${url} answered ${response.statusCode}: ${text}`)));
    });
    sent.on('timeout', () => sent.destroy(new Error(`${url} did not answer in ${REQUEST_TIMEOUT_MS} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** @param ascending sorted values, at least one */
export function percentile(ascending: readonly number[], percent: number): number {
  const value = ascending[Math.min(ascending.length - 1, Math.floor((ascending.length * percent) / 100))];
  if (value === undefined) throw new RangeError('no values to take a percentile of');
  return value;
}
