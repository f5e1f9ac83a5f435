import { widestSubjectOf } from '../../domain/limits/address.ts';
import { CONNECTIONS_MAX, STREAMS_MAX } from '../../domain/limits/connection-leases.ts';
import type { VenueRoute } from '../../domain/markets/market.ts';

/** Names of the Gate objects: one per user, per address (of IPv6 per /48), one per organization of partners for its streams, and one per source of prices (docs/design/identity.md#the-gate). */
export function userGateName(owner: string, subject: string): string {
  return `user:${encodeURIComponent(owner)}/${subject}`;
}

export function addressGateName(address: string): string {
  return `ip:${widestSubjectOf(address)}`;
}

/** Whether a Gate counts callers by their address. */
export function isAddressGate(gateName: string): boolean {
  return gateName.startsWith('ip:');
}

export function organizationGateName(organization: string): string {
  return `${ORGANIZATION}${encodeURIComponent(organization)}`;
}

const ORGANIZATION = 'organization:';

/** How many connections at once a Gate gives places to. */
export function connectionsMaxOf(gateName: string): number {
  return gateName.startsWith(ORGANIZATION) ? STREAMS_MAX : CONNECTIONS_MAX;
}

export function sourceGateName(route: VenueRoute): string {
  return `source:${route}`;
}
