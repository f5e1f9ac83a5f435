import type { BookSnapshotMessage, BookUpdateMessage, ServerMessage, TradeMessage } from '../feeds/server-message.ts';
import { RPC_CODE } from './rpc-code.ts';
import { type RpcFailure, rpcFailure } from './rpc-failure.ts';

/** What a stream follows. `resumeFrom`: the last sequence that the caller has; what followed it comes first. */
export type FollowedTopic =
  | { readonly channel: 'trades'; readonly symbol: string; readonly resumeFrom: number | null }
  | { readonly channel: 'orderbook'; readonly symbol: string; readonly depth: number | undefined };

/** What the feed says of the topic. */
export type MessageOf<T extends FollowedTopic> = T extends { readonly channel: 'trades' }
  ? TradeMessage
  : BookSnapshotMessage | BookUpdateMessage;

/** What is to be done about a message of the feed. */
type FeedStep<T extends FollowedTopic> =
  | { readonly type: 'message'; readonly message: MessageOf<T> }
  | { readonly type: 'subscribed'; readonly sequence: number }
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'nothing' }
  /** Something between is missing: a new subscription heals it. */
  | { readonly type: 'gap' }
  | { readonly type: 'ended'; readonly failure: RpcFailure };

/** The text that subscribes to a topic, after the sequence that is the last known. */
export function subscriptionTo(topic: FollowedTopic, last: number | null): string {
  const { channel, symbol } = topic;
  const terms = topic.channel === 'trades' ? { resume_from: last ?? undefined } : { depth: topic.depth };
  return JSON.stringify({ type: 'subscribe', channel, symbol, ...terms });
}

/**
 * Reads one message of the feed. Nothing passes out of order or twice.
 *
 * @param last sequence of the message before; null before the first
 */
export function readFeed<T extends FollowedTopic>(topic: T, last: number | null, text: string): FeedStep<T> {
  const message = JSON.parse(text) as ServerMessage;
  switch (message.type) {
    case 'subscribed':
      return { type: 'subscribed', sequence: message.sequence };
    case 'ping':
      return { type: 'answer', text: JSON.stringify({ type: 'pong', id: message.id }) };
    case 'error':
      return { type: 'ended', failure: rpcFailure(message.code, message.message) };
    case 'heartbeat':
      return { type: last !== null && message.sequence > last ? 'gap' : 'nothing' };
    case 'reset':
      return topic.channel === 'trades' ? { type: 'ended', failure: tooOld(last) } : { type: 'nothing' };
    case 'orderbook_snapshot':
      return { type: 'message', message: message as MessageOf<T> };
    case 'trade':
    case 'orderbook_update':
      if (last !== null && message.sequence <= last) return { type: 'nothing' };
      return message.prev_sequence === last ? { type: 'message', message: message as MessageOf<T> } : { type: 'gap' };
    default:
      return { type: 'nothing' };
  }
}

/** Why the feed closed a socket for good (docs/design/feeds.md#close-codes), or null where another one may go on. */
export function failureOfClose(code: number, reason: string): RpcFailure | null {
  if (code === 1013) return rpcFailure('RATE_LIMIT_EXCEEDED', 'the stream was read too slowly');
  if (code !== 1008) return null;
  return rpcFailure(/credential|authentication/.test(reason) ? 'UNAUTHORIZED' : 'RATE_LIMIT_EXCEEDED', reason);
}

function tooOld(last: number | null): RpcFailure {
  return {
    rpcCode: RPC_CODE.OUT_OF_RANGE,
    code: 'NOT_FOUND',
    message: 'the feed no longer has what followed resume_from: read GET /v1/trades, then call without it',
    details: { resume_from: last },
  };
}
