import { once } from 'node:events';
import { type handleServerStreamingCall, Metadata } from '@grpc/grpc-js';
import { GIVEN_UP, type RpcFailure, rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import { logCall, trailersOf } from './answer-unary.ts';
import { type CallContext, callContext, type Forwarding } from './call-context.ts';
import { log } from './log.ts';
import { rpcStatusOf } from './rpc-status-of.ts';

/** Yields messages, and returns why it ended. */
export type MessageStream<O> = AsyncGenerator<O, RpcFailure>;

export interface StreamCall {
  readonly context: CallContext;
  /** From here on nothing is missed: the client is sent its headers. */
  readonly onSubscribed: () => void;
}

/**
 * A server-streaming method. The next message is taken once the one before has gone out, so a slow client slows its source and nothing
 * piles up here; a client that is gone ends its source.
 *
 * @param draining aborts when the gateway stops taking calls
 */
export function answerStream<I, O>(
  method: string,
  forwarding: Forwarding,
  draining: AbortSignal,
  follow: (request: I, call: StreamCall) => MessageStream<O>,
): handleServerStreamingCall<I, O> {
  return async (call) => {
    const startedAt = performance.now();
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    call.on('close', () => gone.abort());
    const context = callContext(call, AbortSignal.any([gone.signal, draining]), forwarding);
    let subscribed = false;
    const onSubscribed = () => {
      if (!subscribed) call.sendMetadata(new Metadata());
      subscribed = true;
    };
    const failure = await send(follow(call.request, { context, onSubscribed })).catch((error: unknown) => {
      if (context.signal.aborted) return GIVEN_UP;
      log('error', 'bug', { request_id: context.requestId, method, error: String(error) });
      return rpcFailure('INTERNAL_ERROR', 'internal error');
    });
    const stated = failure === GIVEN_UP && draining.aborted ? DRAINING : failure;
    if (!gone.signal.aborted) call.emit('error', rpcStatusOf(stated, trailersOf(context)));
    logCall(method, context, stated, startedAt);

    async function send(messages: MessageStream<O>): Promise<RpcFailure> {
      try {
        for (;;) {
          const { done, value } = await messages.next();
          if (done) return value;
          if (!call.write(value)) await once(call, 'drain', { signal: context.signal });
        }
      } finally {
        await messages.return(GIVEN_UP);
      }
    }
  };
}

const DRAINING = rpcFailure('SERVICE_UNAVAILABLE', 'the gateway is shutting down: call again and resume');
