import { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { TradingService } from '../../protocol/rpc/trading_pb.ts';
import { ProxiedPeers } from '../proxy-protocol/proxied-peers.ts';
import { answerStream } from './answer-stream.ts';
import { answerUnary } from './answer-unary.ts';
import { cancelOrder } from './cancel-order.ts';
import { connectExchange } from './exchange.ts';
import { getOrderBook } from './get-order-book.ts';
import { listen } from './listen.ts';
import { placeOrder } from './place-order.ts';
import { addReflection } from './reflection.ts';
import type { Settings } from './settings.ts';
import { streamOrderBook } from './stream-order-book.ts';
import { streamTrades } from './stream-trades.ts';
import { TRADING_SERVICE } from './trading-service-definition.ts';

/** The largest request; an order is some 200 bytes. */
const REQUEST_BYTES_MAX = 64 * 1_024;
const ANSWER_BYTES_MAX = 4 * 1_024 * 1_024;
const STREAMS_PER_CONNECTION_MAX = 1_000;
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_ANSWER_MS_MAX = 10_000;
const HEALTH_EVERY_MS = 5_000;

export interface Gateway {
  readonly port: number;
  /** Takes no more calls, ends streams, lets calls finish for the time that the settings give them. */
  drain(): Promise<void>;
}

/** Serves TradingService, the standard health service and server reflection. */
export async function startGateway(settings: Settings): Promise<Gateway> {
  const { gatewaySecret } = settings;
  const forwarding = { gatewaySecret, peers: new ProxiedPeers() };
  const exchange = connectExchange(settings.exchangeUrl);
  const draining = new AbortController();
  const server = new Server({
    'grpc.max_receive_message_length': REQUEST_BYTES_MAX,
    'grpc.max_send_message_length': ANSWER_BYTES_MAX,
    'grpc.max_concurrent_streams': STREAMS_PER_CONNECTION_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER_MS_MAX,
    'grpc.keepalive_permit_without_calls': 1,
  });
  server.addService(TRADING_SERVICE, {
    PlaceOrder: answerUnary('PlaceOrder', forwarding, (request, context) => placeOrder(exchange, request, context)),
    CancelOrder: answerUnary('CancelOrder', forwarding, (request, context) => cancelOrder(exchange, request, context)),
    GetOrderBook: answerUnary('GetOrderBook', forwarding, (request, context) =>
      getOrderBook(exchange, request, context),
    ),
    StreamTrades: answerStream('StreamTrades', forwarding, draining.signal, (request, stream) =>
      streamTrades(exchange, request, stream),
    ),
    StreamOrderBook: answerStream('StreamOrderBook', forwarding, draining.signal, (request, stream) =>
      streamOrderBook(exchange, request, stream),
    ),
  });
  addReflection(server);
  const health = new HealthImplementation({ '': 'NOT_SERVING', [TradingService.typeName]: 'NOT_SERVING' });
  health.addToServer(server);

  const setHealth = (serving: boolean) => {
    for (const service of ['', TradingService.typeName]) health.setStatus(service, serving ? 'SERVING' : 'NOT_SERVING');
  };
  const checkHealth = async () => {
    const healthy = await exchange.isHealthy();
    setHealth(healthy && !draining.signal.aborted);
  };

  const listener = await listen(server, settings, forwarding.peers);
  await checkHealth();
  const healthTimer = setInterval(checkHealth, HEALTH_EVERY_MS);

  let drained: Promise<void> | null = null;
  const drain = async (): Promise<void> => {
    clearInterval(healthTimer);
    setHealth(false);
    draining.abort();
    listener.close();
    const cut = setTimeout(() => server.forceShutdown(), settings.drain_ms);
    await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    clearTimeout(cut);
    await exchange.close();
  };
  return {
    port: listener.port,
    drain() {
      drained ??= drain();
      return drained;
    },
  };
}
