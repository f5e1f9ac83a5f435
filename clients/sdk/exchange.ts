import type { paths } from './generated/exchange-api.ts';
import { exchangeOperations } from './generated/exchange-operations.ts';
import { ProfileClient } from './profile-client.ts';
import type { TransportOptions } from './wire/transport.ts';

export type { components as ExchangeTypes, paths as ExchangePaths } from './generated/exchange-api.ts';

/** The asset exchange (profile A): assets, quotes, charts, orders, portfolio, account. */
export class ExchangeClient extends ProfileClient<paths> {
  constructor(options: TransportOptions) {
    super(options, exchangeOperations);
  }
}
