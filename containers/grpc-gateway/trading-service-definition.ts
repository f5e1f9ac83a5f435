import { type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { TradingService } from '../../protocol/rpc/trading_pb.ts';

const { placeOrder, cancelOrder, getOrderBook, streamTrades, streamOrderBook } = TradingService.method;

/** `TradingService` as grpc-js wants a service. Paths have no package: `/TradingService/PlaceOrder` (X-GRP-01). */
export const TRADING_SERVICE = {
  PlaceOrder: definition(placeOrder),
  CancelOrder: definition(cancelOrder),
  GetOrderBook: definition(getOrderBook),
  StreamTrades: definition(streamTrades),
  StreamOrderBook: definition(streamOrderBook),
} satisfies ServiceDefinition;

interface Method<I extends DescMessage, O extends DescMessage> {
  readonly name: string;
  readonly methodKind: string;
  readonly input: I;
  readonly output: O;
}

function definition<I extends DescMessage, O extends DescMessage>({
  name,
  methodKind,
  input,
  output,
}: Method<I, O>): MethodDefinition<MessageShape<I>, MessageShape<O>> {
  return {
    path: `/${TradingService.typeName}/${name}`,
    originalName: name,
    requestStream: false,
    responseStream: methodKind === 'server_streaming',
    requestSerialize: (message) => encode(input, message),
    requestDeserialize: (bytes) => fromBinary(input, bytes),
    responseSerialize: (message) => encode(output, message),
    responseDeserialize: (bytes) => fromBinary(output, bytes),
  };
}

function encode<D extends DescMessage>(schema: D, message: MessageShape<D>): Buffer {
  const bytes = toBinary(schema, message);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
