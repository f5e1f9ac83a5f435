/**
 * The reference of `npm run bench:grpc`, as a process of its own: PlaceOrder answers what it was asked, StreamTrades sends as many
 * trades as `resume_from` says, as fast as the client takes them. Nothing is authenticated, counted or stored.
 */
import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { type handleServerStreamingCall, type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';
import { TRADING_SERVICE } from '../../containers/grpc-gateway/trading-service-definition.ts';
import {
  type OrderRequest,
  type OrderResponse,
  OrderResponseSchema,
  type StreamRequest,
  type Trade,
  TradeSchema,
} from '../../protocol/rpc/trading_pb.ts';

const placeOrder: handleUnaryCall<OrderRequest, OrderResponse> = (call, callback) => {
  const { symbol, side, type, price, size } = call.request;
  const answer = { orderId: crypto.randomUUID(), status: 'open', timestamp: BigInt(Date.now()) };
  callback(
    null,
    create(OrderResponseSchema, { ...answer, symbol, side, type, size, ...(price === undefined ? {} : { price }) }),
  );
};

const streamTrades: handleServerStreamingCall<StreamRequest, Trade> = async (call) => {
  const count = Number(call.request.resumeFrom ?? 0n);
  for (let i = 0; i < count && !call.cancelled; i++) {
    const trade = { price: 100.25, size: 7, side: 'buy', tradeId: crypto.randomUUID(), sequence: BigInt(i) };
    const message = create(TradeSchema, { symbol: call.request.symbol, timestamp: BigInt(Date.now()), ...trade });
    if (!call.write(message)) await once(call, 'drain');
  }
  call.end();
};

const server = new Server();
const unused = () => {
  throw new Error('not part of the bench');
};
server.addService(TRADING_SERVICE, {
  PlaceOrder: placeOrder,
  StreamTrades: streamTrades,
  CancelOrder: unused,
  GetOrderBook: unused,
  StreamOrderBook: unused,
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.send?.({ port });
});
process.once('disconnect', () => process.exit(0));
