import { apiError } from '../../../protocol/errors/api-error.ts';
import {
  type FollowedTopic,
  failureOfClose,
  type MessageOf,
  readFeed,
  subscriptionTo,
} from '../../../protocol/rpc/followed-topic.ts';
import { type RpcFailure, rpcFailure } from '../../../protocol/rpc/rpc-failure.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { connectFeed } from '../feed-connection.ts';
import { connectErrorOf, refuse } from './connect-error-of.ts';

/** Messages that a reader may leave untaken before it counts as too slow (docs/design/feeds.md#slow-consumers). */
const UNREAD_MAX = 1_024;

/**
 * The messages of one topic, each once and in order, over a feed socket of the caller's. Where that is no longer so the call ends with
 * UNAVAILABLE, and the caller makes another one, for trades with `resume_from`.
 *
 * @param signal the call's: its deadline, or the client gone
 */
export async function* followFeed<T extends FollowedTopic>(
  c: AppContext,
  topic: T,
  signal: AbortSignal,
): AsyncGenerator<MessageOf<T>> {
  const opened = await connectFeed(c, topic.symbol);
  if (!opened.ok) return refuse(opened.error);
  const socket = opened.value.webSocket;
  if (socket === null) return refuse(apiError('SERVICE_UNAVAILABLE', 'the book is out of reach: try again'));

  const texts = new SocketTexts(socket);
  const giveUp = () => texts.end(null);
  signal.addEventListener('abort', giveUp);
  let last = topic.channel === 'trades' ? topic.resumeFrom : null;
  try {
    socket.send(subscriptionTo(topic, last));
    for (let text = await texts.next(); text !== null; text = await texts.next()) {
      const step = readFeed(topic, last, text);
      switch (step.type) {
        case 'subscribed':
          if (topic.channel === 'trades') last ??= step.sequence;
          break;
        case 'answer':
          socket.send(step.text);
          break;
        case 'gap':
          throw connectErrorOf(LOST);
        case 'ended':
          throw connectErrorOf(step.failure);
        case 'message':
          last = step.message.sequence;
          yield step.message;
      }
    }
    throw connectErrorOf(texts.failure ?? LOST);
  } finally {
    signal.removeEventListener('abort', giveUp);
    socket.close(1000, 'the call has ended');
  }
}

const LOST = rpcFailure('SERVICE_UNAVAILABLE', 'the feed was lost: call again and resume');

/** What a socket has received, one text after another. */
class SocketTexts {
  readonly #waiting: string[] = [];
  #ended = false;
  #wake: (() => void) | null = null;
  /** Why there are no more, where the feed has said so. */
  failure: RpcFailure | null = null;

  constructor(socket: WebSocket) {
    socket.accept();
    socket.addEventListener('message', ({ data }) => {
      if (this.#ended) return;
      if (this.#waiting.push(String(data)) > UNREAD_MAX) this.end(failureOfClose(1013, ''));
      this.#wake?.();
    });
    socket.addEventListener('close', ({ code, reason }) => this.end(failureOfClose(code, reason)));
    socket.addEventListener('error', () => this.end(null));
  }

  end(failure: RpcFailure | null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.failure = failure;
    this.#wake?.();
  }

  /** Null once it has ended and all is read. */
  async next(): Promise<string | null> {
    while (this.#waiting.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#waiting.shift() ?? null;
  }
}
