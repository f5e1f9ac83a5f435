import { connectExchange } from '../application/exchange.ts';
import { TAKEN } from '../application/exchange-application.ts';
import type { Settings } from '../settings.ts';
import type { Backend } from './backend.ts';
import { exchangeAuthenticator } from './exchange-authenticator.ts';

/** Sessions of API keys, before the order-book profile. */
export function exchangeBackend({ exchangeUrl, compId, gatewaySecret }: Settings): Backend {
  const exchange = connectExchange(exchangeUrl);
  return {
    authenticate: exchangeAuthenticator(exchange, compId, gatewaySecret),
    supported: TAKEN,
    resetOnLogon: false,
    explainsRefusals: true,
    isHealthy: () => exchange.isHealthy(),
    close: () => exchange.close(),
  };
}
