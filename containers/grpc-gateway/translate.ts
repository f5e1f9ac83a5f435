import type { RpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import type { MessageStream } from './answer-stream.ts';

/** A stream of the feed's messages as one of the interface's. */
export async function* translate<I, O>(
  feed: AsyncGenerator<I, RpcFailure>,
  translation: (message: I) => O,
): MessageStream<O> {
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await feed.next();
      ended = done === true;
      if (done) return value;
      yield translation(value);
    }
  } finally {
    // A client that has gone ends this at the yield: the socket behind must not stay open.
    if (!ended) await feed.return(undefined as never);
  }
}
