import { on } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  type FollowedTopic,
  failureOfClose,
  type MessageOf,
  readFeed,
  subscriptionTo,
} from '../../protocol/rpc/followed-topic.ts';
import { GIVEN_UP, type RpcFailure, rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import type { CallContext } from './call-context.ts';
import type { Exchange } from './exchange.ts';
import { log } from './log.ts';
import { openFeed } from './open-feed.ts';

/** Sockets tried one after another without a message in between, before the stream ends. */
const ATTEMPTS_MAX = 6;
const BACKOFF_MS = 100;
/** Messages taken from the socket and not yet passed on; above it the socket is not read. */
const WAITING_MAX = 256;
const PING_EVERY_MS = 15_000;
/** The exchange answers pings and beats every 20 s; a socket silent for longer is dead. */
const SILENCE_MS_MAX = 45_000;

/** What is known across the sockets of one stream. */
interface Progress {
  last: number | null;
  attempts: number;
}

/** One stream: the exchange that it comes from, the call that it is for. */
export interface Following<T extends FollowedTopic> {
  readonly exchange: Exchange;
  readonly context: CallContext;
  readonly topic: T;
  /** Called at each subscription. */
  readonly onSubscribed: () => void;
}

/**
 * The messages of one topic, each once and in order, over as many sockets as that takes. A gap or a lost socket is healed by a new one:
 * trades resume after the last sequence, a book starts with a fresh snapshot. What cannot be healed ends the stream with its reason.
 */
export async function* followTopic<T extends FollowedTopic>(
  following: Following<T>,
): AsyncGenerator<MessageOf<T>, RpcFailure> {
  const { exchange, context, topic } = following;
  const progress: Progress = { last: topic.channel === 'trades' ? topic.resumeFrom : null, attempts: 0 };
  for (;;) {
    const opening = await openFeed(exchange, topic.symbol, context.headers);
    if (context.signal.aborted) {
      if (opening.type === 'open') opening.socket.terminate();
      return GIVEN_UP;
    }
    if (opening.type === 'refused') return opening.failure;
    if (opening.type === 'open') {
      const failure = yield* readSocket(opening.socket, following, progress);
      if (failure !== null) return failure;
    }
    progress.attempts += 1;
    // The exchange takes a signature once.
    if (progress.attempts >= ATTEMPTS_MAX || 'x-api-signature' in context.headers) return LOST;
    const pause_ms = BACKOFF_MS * 2 ** (progress.attempts - 1) * (0.5 + Math.random());
    await wait(pause_ms, undefined, { signal: context.signal });
  }
}

const LOST = rpcFailure('SERVICE_UNAVAILABLE', 'the feed of the exchange was lost: call again and resume');

/** Reads one socket to its end. Null when another one may go on. */
async function* readSocket<T extends FollowedTopic>(
  socket: WebSocket,
  { context, topic, onSubscribed }: Following<T>,
  progress: Progress,
): AsyncGenerator<MessageOf<T>, RpcFailure | null> {
  let ended: RpcFailure | null = null;
  socket.once('close', (code, reason) => {
    ended = failureOfClose(code, reason.toString());
  });
  const messages = on(socket, 'message', { signal: context.signal, close: ['close'], highWaterMark: WAITING_MAX });
  const liveness = watchLiveness(socket);
  try {
    socket.send(subscriptionTo(topic, progress.last));
    socket.resume();
    for await (const [data] of messages) {
      liveness.heard();
      const step = readFeed(topic, progress.last, String(data));
      switch (step.type) {
        case 'subscribed':
          if (topic.channel === 'trades') progress.last ??= step.sequence;
          onSubscribed();
          break;
        case 'answer':
          socket.send(step.text);
          break;
        case 'gap':
          return null;
        case 'ended':
          return step.failure;
        case 'message':
          progress.last = step.message.sequence;
          progress.attempts = 0;
          yield step.message;
      }
    }
    return ended;
  } catch (error) {
    // What ws cannot read ends its socket with an error; another socket may do better.
    if (context.signal.aborted) return GIVEN_UP;
    log('error', 'feed_failed', { request_id: context.requestId, error: String(error) });
    return null;
  } finally {
    liveness.stop();
    socket.terminate();
  }
}

/** Pings a socket that is read, and ends one from which nothing comes. */
function watchLiveness(socket: WebSocket): { heard(): void; stop(): void } {
  let heard_at = performance.now();
  const timer = setInterval(() => {
    if (socket.isPaused || socket.readyState !== WebSocket.OPEN) return;
    if (performance.now() - heard_at > SILENCE_MS_MAX) socket.terminate();
    else socket.send('{"type":"ping"}');
  }, PING_EVERY_MS);
  return {
    heard() {
      heard_at = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
