import type { paths } from './generated/partner-api.ts';
import { partnerOperations } from './generated/partner-operations.ts';
import { ProfileClient } from './profile-client.ts';
import type { TransportOptions } from './wire/transport.ts';

export type { components as PartnerTypes, paths as PartnerPaths } from './generated/partner-api.ts';

/** Partners: cross-listers and transfer agents. */
export class PartnerClient extends ProfileClient<paths> {
  constructor(options: TransportOptions) {
    super(options, partnerOperations);
  }
}
