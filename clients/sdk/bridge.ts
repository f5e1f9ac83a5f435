import type { paths } from './generated/bridge-api.ts';
import { bridgeOperations } from './generated/bridge-operations.ts';
import { ProfileClient } from './profile-client.ts';
import type { TransportOptions } from './wire/transport.ts';

export type { components as BridgeTypes, paths as BridgePaths } from './generated/bridge-api.ts';

/** Tenants that move assets between other chains and the exchange. */
export class BridgeClient extends ProfileClient<paths> {
  constructor(options: TransportOptions) {
    super(options, bridgeOperations);
  }
}
