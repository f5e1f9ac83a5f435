import { rateSubjectOf } from '../../domain/limits/address.ts';

/** Names of the Gate objects: one per user, per address without a credential, and one per API key that tells whose it is (docs/design/identity.md#the-gate). */
export function keyGateName(keyId: string): string {
  return `key:${keyId}`;
}

export function userGateName(owner: string, subject: string): string {
  return `user:${encodeURIComponent(owner)}/${subject}`;
}

export function addressGateName(address: string): string {
  return `ip:${rateSubjectOf(address)}`;
}
