import type { BrokerClient } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../domain/broker/market-data-source.ts';
import type { VenueRoute } from '../../domain/markets/market.ts';
import { alpacaClient } from './alpaca/alpaca-client.ts';
import { primeClient } from './coinbase/prime-client.ts';
import { sandboxClient } from './sandbox-client.ts';
import { sandboxPrimeClient } from './sandbox-prime-client.ts';

type Broker = BrokerClient & MarketDataSource;

const alpacaClients = new WeakMap<Env, Broker>();
const coinbaseClients = new WeakMap<Env, Broker>();

/** Who executes the orders of a route, and tells their prices. */
export function venueOf(env: Env, route: VenueRoute): Broker {
  return route === 'prime' ? primeOf(env) : brokerOf(env);
}

/** The prime broker that executes orders on crypto: the var PRIME_BROKER says which. */
function primeOf(env: Env): Broker {
  switch (env.PRIME_BROKER) {
    case 'sandbox':
      return sandboxPrimeClient(env);
    case 'coinbase':
      return coinbaseOf(env);
    default:
      throw new Error(`the var PRIME_BROKER names no prime broker: ${env.PRIME_BROKER}`);
  }
}

/** The broker that executes orders on public assets, and the source of their prices: the var BROKER says which. */
function brokerOf(env: Env): Broker {
  switch (env.BROKER) {
    case 'sandbox':
      return sandboxClient(env);
    case 'alpaca':
      return alpacaOf(env);
    default:
      throw new Error(`the var BROKER names no broker: ${env.BROKER}`);
  }
}

/** One of an environment, so that what it remembers of orders' names is remembered. */
function alpacaOf(env: Env): Broker {
  const known = alpacaClients.get(env);
  if (known !== undefined) return known;
  const client = alpacaClient({
    baseUrl: env.ALPACA_BASE_URL,
    dataUrl: env.ALPACA_DATA_URL,
    keyId: env.ALPACA_KEY_ID ?? '',
    secretKey: env.ALPACA_SECRET_KEY ?? '',
    callsPerMinute: callsOf(env.ALPACA_DATA_CALLS_PER_MINUTE),
  });
  alpacaClients.set(env, client);
  return client;
}

/** One of an environment, as Alpaca's. */
function coinbaseOf(env: Env): Broker {
  const known = coinbaseClients.get(env);
  if (known !== undefined) return known;
  const client = primeClient({
    baseUrl: env.PRIME_BASE_URL,
    portfolioId: env.PRIME_PORTFOLIO_ID,
    accessKey: env.PRIME_ACCESS_KEY ?? '',
    passphrase: env.PRIME_PASSPHRASE ?? '',
    signingKey: env.PRIME_SIGNING_KEY ?? '',
    callsPerMinute: callsOf(env.PRIME_DATA_CALLS_PER_MINUTE),
  });
  coinbaseClients.set(env, client);
  return client;
}

/** Of a value that is no number none are left for what is shown: collars come first. */
function callsOf(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
