import { WebSocket } from 'ws';
import { type RpcFailure, rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import { type Exchange, failureOfBody } from './exchange.ts';
import type { Headers } from './forwarded-headers.ts';

const HANDSHAKE_MS_MAX = 10_000;
/** A snapshot of 1,000 levels a side is some 60 KB. */
const MESSAGE_BYTES_MAX = 4 * 1_024 * 1_024;
const REFUSAL_LENGTH_MAX = 64 * 1_024;

export type FeedOpening =
  | { readonly type: 'open'; readonly socket: WebSocket }
  /** The exchange has answered: no. */
  | { readonly type: 'refused'; readonly failure: RpcFailure }
  | { readonly type: 'unreachable' };

/** Opens a feed socket on one pair, with the caller's credentials. */
export function openFeed(exchange: Exchange, symbol: string, headers: Headers): Promise<FeedOpening> {
  const socket = new WebSocket(exchange.feedUrl(`/v1/ws?symbol=${encodeURIComponent(symbol)}`), {
    headers,
    handshakeTimeout: HANDSHAKE_MS_MAX,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });
  // Messages that come with the handshake wait until someone listens.
  socket.pause();
  return new Promise((resolve) => {
    socket.once('open', () => resolve({ type: 'open', socket }));
    socket.on('error', () => resolve({ type: 'unreachable' }));
    socket.once('unexpected-response', (_, response) => {
      // Nobody else looks after the connection of a refused upgrade.
      const connection = response.socket.on('error', () => undefined);
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < REFUSAL_LENGTH_MAX) text += chunk;
      });
      response.once('close', () => {
        connection.destroy();
        resolve(refusal(text));
      });
    });
  });
}

function refusal(text: string): FeedOpening {
  try {
    return { type: 'refused', failure: failureOfBody(JSON.parse(text)) };
  } catch {
    return { type: 'refused', failure: rpcFailure('SERVICE_UNAVAILABLE', 'the exchange opens no feed') };
  }
}
