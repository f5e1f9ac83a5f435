import type { BrokerClient, BrokerUnavailable, Decimal } from '../../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../../domain/broker/market-data-source.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { recordOf, unavailable } from '../ask-http.ts';
import { plainDecimal } from '../read-values.ts';
import { PrimeEvents } from './prime-events.ts';
import { askPrime, type PrimeSettings, pageOf } from './prime-http.ts';
import { readPrimeBars, readPrimeQuotes } from './prime-market-data.ts';
import { PrimeOrders } from './prime-orders.ts';

/** Coinbase Prime's REST API as a prime broker (docs/design/prime.md#coinbase-prime). */
export function primeClient(settings: PrimeSettings): BrokerClient & MarketDataSource {
  const orders = new PrimeOrders(settings);
  const events = new PrimeEvents(settings, orders);
  return {
    submit: (order) => orders.submit(order),
    cancel: (symbol, clientOrderId) => orders.cancel(symbol, clientOrderId),
    replace: async () => err({ reason: 'refused', code: 'not_permitted', detail: 'orders are not replaced here' }),
    order: (symbol, clientOrderId) => orders.order(symbol, clientOrderId),
    openOrders: (symbol) => orders.openOrders(symbol),
    events: (symbol, after, watched) => events.read(symbol, after, watched),
    position: (symbol) => readBalance(settings, symbol),
    callsPerMinute: settings.callsPerMinute,
    quotes: (symbols) => readPrimeQuotes(settings, symbols),
    // The REST API shows no book.
    book: async () => ok({ bids: [], asks: [], at_ms: Date.now() }),
    bars: (symbol, span) => readPrimeBars(settings, symbol, span),
  };
}

/** Coins of the portfolio's trading balance, those that its open orders hold included. */
async function readBalance(settings: PrimeSettings, symbol: string): Promise<Result<Decimal, BrokerUnavailable>> {
  const answer = await askPrime(settings, '/balances', {
    query: { symbols: symbol, balance_type: 'TRADING_BALANCES' },
  });
  const page = answer.ok ? pageOf(answer.value, 'balances') : answer;
  if (!page.ok) return page;
  const rows = page.value.rows.map(recordOf);
  const row = rows.find((balance) => String(balance?.symbol).toUpperCase() === symbol.toUpperCase());
  if (row === undefined) return ok('0');
  const amount = plainDecimal(row?.amount);
  return amount === null ? unavailable('a balance that cannot be read') : ok(amount);
}
