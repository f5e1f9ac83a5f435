import { ConnectError, type ConnectRouter, createConnectRouter, type Interceptor } from '@connectrpc/connect';
import { describeBug } from '../../../application/log/describe-bug.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { rpcFailure } from '../../../protocol/rpc/rpc-failure.ts';
import { TradingService } from '../../../protocol/rpc/trading_pb.ts';
import { unknownFieldsFailure } from '../../../protocol/rpc/unknown-fields-failure.ts';
import { cancelOrder } from './cancel-order.ts';
import { connectErrorOf, refuse } from './connect-error-of.ts';
import { getOrderBook } from './get-order-book.ts';
import { placeOrder } from './place-order.ts';
import { REFUSAL, requestOf } from './request-of.ts';
import { streamOrderBook } from './stream-order-book.ts';
import { streamTrades } from './stream-trades.ts';

/** The longest deadline that a call may ask for. */
const TIMEOUT_MS_MAX = DAY_MS;

/** Bugs are logged and answer INTERNAL without their text. */
const logBugs: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    log('error', 'bug', { rpc: request.method.name, ...describeBug(error) });
    throw connectErrorOf(rpcFailure('INTERNAL_ERROR', 'internal error'));
  }
};

/** What is asked for is done as it is stated, or refused. */
const refuseUnknown: Interceptor = (next) => (request) => {
  const failure = request.stream ? null : unknownFieldsFailure(request.message);
  if (failure !== null) throw connectErrorOf(failure);
  return next(request);
};

/** TradingService over Connect and gRPC-Web. gRPC itself needs HTTP trailers, which Workers do not send. */
export const tradingService: ConnectRouter = createConnectRouter({
  grpc: false,
  acceptCompression: [],
  maxTimeoutMs: TIMEOUT_MS_MAX,
  // A misspelt term is no term: a message in JSON that has one is malformed.
  jsonOptions: { ignoreUnknownFields: false },
  interceptors: [logBugs, refuseUnknown],
  // A request that was not let through ends before its message is read.
  requestGate({ values }) {
    const refusal = values.get(REFUSAL);
    if (refusal !== null) refuse(refusal);
  },
}).service(TradingService, {
  placeOrder: (message, context) => placeOrder(requestOf(context), message),
  cancelOrder: (message, context) => cancelOrder(requestOf(context), message),
  getOrderBook: (message, context) => getOrderBook(requestOf(context), message),
  streamTrades: (message, context) => streamTrades(requestOf(context), message, context.signal),
  streamOrderBook: (message, context) => streamOrderBook(requestOf(context), message, context.signal),
});
