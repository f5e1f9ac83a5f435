import type { BrokerClient, BrokerUnavailable, Decimal } from '../../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../../domain/broker/market-data-source.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { recordOf, unavailable } from '../ask-http.ts';
import { plainDecimal } from '../read-values.ts';
import { readAlpacaBars } from './alpaca-bars.ts';
import { AlpacaEvents } from './alpaca-events.ts';
import { type AlpacaSettings, askAlpaca } from './alpaca-http.ts';
import { readAlpacaBook, readAlpacaQuotes } from './alpaca-market-data.ts';
import { AlpacaOrders } from './alpaca-orders.ts';

/** Alpaca's Trading API v2 and Market Data API v2 as a broker (docs/design/broker.md#alpaca). */
export function alpacaClient(settings: AlpacaSettings): BrokerClient & MarketDataSource {
  const orders = new AlpacaOrders(settings);
  const events = new AlpacaEvents(settings, orders);
  return {
    submit: (order) => orders.submit(order),
    cancel: (_symbol, clientOrderId) => orders.cancel(clientOrderId),
    replace: (_symbol, clientOrderId, change) => orders.replace(clientOrderId, change),
    order: (_symbol, clientOrderId) => orders.order(clientOrderId),
    openOrders: (symbol, page) => orders.openOrders(symbol, page),
    events: (symbol, after, watched) => events.read(symbol, after, watched),
    position: (symbol) => readPosition(settings, symbol),
    callsPerMinute: settings.callsPerMinute,
    quotes: (symbols) => readAlpacaQuotes(settings, symbols),
    book: (symbol) => readAlpacaBook(settings, symbol),
    bars: (symbol, span) => readAlpacaBars(settings, symbol, span),
  };
}

async function readPosition(settings: AlpacaSettings, symbol: string): Promise<Result<Decimal, BrokerUnavailable>> {
  const address = `${settings.baseUrl}/v2/positions/${encodeURIComponent(symbol)}`;
  const answer = await askAlpaca(address, settings);
  if (!answer.ok) return answer;
  if (answer.value.status === 404) return ok('0');
  const quantity = plainDecimal(recordOf(answer.value.body)?.qty);
  return answer.value.status === 200 && quantity !== null ? ok(quantity) : unavailable(`status ${answer.value.status}`);
}
