import type { Message } from '@bufbuild/protobuf';
import { type handleUnaryCall, Metadata } from '@grpc/grpc-js';
import { err, type Result } from '../../domain/result.ts';
import { GIVEN_UP, type RpcFailure, rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import { unknownFieldsFailure } from '../../protocol/rpc/unknown-fields-failure.ts';
import { type CallContext, callContext, type Forwarding } from './call-context.ts';
import type { AnswerHeaders } from './exchange.ts';
import { log } from './log.ts';
import { rpcStatusOf } from './rpc-status-of.ts';

/** The message that answers a call, or its failure; with the headers that the exchange answered with. */
export interface UnaryOutcome<O> {
  readonly result: Result<O, RpcFailure>;
  readonly headers: AnswerHeaders;
}

/** What the exchange counted for the caller goes on as trailing metadata. */
const RETURNED = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'] as const;

/** A unary method: context, answer or status, trailers and one log line. A throw is a bug and answers INTERNAL without its text. */
export function answerUnary<I extends Message, O>(
  method: string,
  forwarding: Forwarding,
  answer: (request: I, context: CallContext) => Promise<UnaryOutcome<O>>,
): handleUnaryCall<I, O> {
  return async (call, callback) => {
    const startedAt = performance.now();
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    const context = callContext(call, gone.signal, forwarding);
    const failure = unknownFieldsFailure(call.request);
    const answered =
      failure === null ? answer(call.request, context) : Promise.resolve({ result: err(failure), headers: {} });
    const { result, headers } = await answered.catch((error: unknown): UnaryOutcome<O> => {
      log('error', 'bug', { request_id: context.requestId, method, error: String(error) });
      return { result: err(rpcFailure('INTERNAL_ERROR', 'internal error')), headers: {} };
    });
    const trailers = trailersOf(context, headers);
    if (result.ok) callback(null, result.value, trailers);
    else callback(rpcStatusOf(result.error, trailers));
    logCall(method, context, result.ok ? null : result.error, startedAt);
  };
}

export function trailersOf({ requestId }: CallContext, headers: AnswerHeaders = {}): Metadata {
  const trailers = new Metadata();
  trailers.set('x-request-id', requestId);
  for (const name of RETURNED) {
    const value = headers[name];
    if (typeof value === 'string') trailers.set(name, value);
  }
  return trailers;
}

export function logCall(method: string, context: CallContext, failure: RpcFailure | null, startedAt: number): void {
  log('info', 'call', {
    request_id: context.requestId,
    method,
    status: failure?.rpcCode ?? 0,
    code: failure === null ? null : failure === GIVEN_UP ? 'CANCELLED' : failure.code,
    duration_ms: Math.round(performance.now() - startedAt),
    key: context.key,
    client_address: context.clientAddress,
  });
}
