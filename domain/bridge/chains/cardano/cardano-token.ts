import type { Vault } from '../chain-adapter.ts';

/** A native token: hash of its policy, and its name of up to 32 bytes. */
const TOKEN = /^([0-9a-f]{56})\.((?:[0-9a-f]{2}){0,32})$/;

/**
 * The token of a vault, which states it as `policy.name`, both in hexadecimal; null for ADA.
 *
 * @throws RangeError where it is none
 */
export function tokenOf({ token }: Pick<Vault, 'token'>): { readonly policy: string; readonly name: string } | null {
  if (token === null) return null;
  const [, policy, name] = TOKEN.exec(token) ?? [];
  if (policy === undefined || name === undefined) throw new RangeError('no token of Cardano');
  return { policy, name };
}
