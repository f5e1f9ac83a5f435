import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CallOptions,
  type Client,
  type ClientReadableStream,
  credentials,
  loadPackageDefinition,
  type Metadata,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTO = join(import.meta.dirname, '..', '..', 'containers', 'grpc-gateway', 'trading.proto');

export type Message = Readonly<Record<string, unknown>>;

export type UnaryMethod = (
  request: Message,
  metadata: Metadata,
  options: CallOptions,
  done: (error: ServiceError | null, message: Message) => void,
) => void;

export type TradingClient = Client &
  Record<'PlaceOrder' | 'CancelOrder' | 'GetOrderBook', UnaryMethod> &
  Record<'StreamTrades' | 'StreamOrderBook', (request: Message, metadata: Metadata) => ClientReadableStream<Message>>;

/**
 * A client of `TradingService`, from trading.proto alone. Field names are those of the file, int64 are numbers.
 *
 * @param caFile certificate that the gateway's TLS is trusted by; null speaks plaintext
 */
export function tradingClient(address: string, caFile: string | null): TradingClient {
  const loaded = loadPackageDefinition(loadSync(PROTO, { keepCase: true, longs: Number, arrays: true }));
  const { TradingService } = loaded as unknown as { TradingService: ServiceClientConstructor };
  const channel = caFile === null ? credentials.createInsecure() : credentials.createSsl(readFileSync(caFile));
  return new TradingService(address, channel) as unknown as TradingClient;
}
