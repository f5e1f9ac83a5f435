import type { ChainTransport } from '../chain-adapter.ts';

/** A node was asked as often as one question may ask. */
export class CallsSpent extends Error {
  constructor(most: number) {
    super(`more than ${most} calls for one question`);
  }
}

/** A transport that reads so often and no more: whoever asks has to have an answer in time. */
export function boundedCalls(transport: ChainTransport, most: number): ChainTransport {
  let left = most;
  return {
    rpc: (method, params) => transport.rpc(method, params),
    post: (path, body) => transport.post(path, body),
    get: async (path) => {
      left -= 1;
      if (left < 0) throw new CallsSpent(most);
      return transport.get(path);
    },
  };
}
