import { rateSubjectOf } from '../../domain/limits/address.ts';
import type { VenueRoute } from '../../domain/markets/market.ts';

/** Names of the Gate objects: one per user, per address without a credential, one per API key that tells whose it is, and one per source of prices (docs/design/identity.md#the-gate). */
export function keyGateName(keyId: string): string {
  return `key:${keyId}`;
}

export function userGateName(owner: string, subject: string): string {
  return `user:${encodeURIComponent(owner)}/${subject}`;
}

export function addressGateName(address: string): string {
  return `ip:${rateSubjectOf(address)}`;
}

export function sourceGateName(route: VenueRoute): string {
  return `source:${route}`;
}
