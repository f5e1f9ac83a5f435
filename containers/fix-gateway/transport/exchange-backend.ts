import { join } from 'node:path';
import { connectExchange } from '../application/exchange.ts';
import { TAKEN } from '../application/exchange-application.ts';
import { OrderNames } from '../application/order-names.ts';
import type { Settings } from '../settings.ts';
import { openNames } from '../store/open-names.ts';
import type { Backend } from './backend.ts';
import { exchangeAuthenticator } from './exchange-authenticator.ts';

/** Sessions of API keys, before the order-book profile. */
export function exchangeBackend(settings: Settings): Backend {
  const exchange = connectExchange(settings.exchangeUrl);
  const names = openNames(join(settings.storeFolder, 'order-names.jsonl'), Date.now());
  return {
    authenticate: exchangeAuthenticator(exchange, new OrderNames(names), settings),
    supported: TAKEN,
    resetOnLogon: false,
    explainsRefusals: true,
    isHealthy: () => exchange.isHealthy(),
    close: async () => {
      names.close();
      await exchange.close();
    },
  };
}
