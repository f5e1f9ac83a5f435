import type { Vault } from '../chain-adapter.ts';

/** @throws RangeError where the vault is of a token: this chain's adapter moves the chain's own coin alone */
export function requireCoin({ chain, token }: Vault): void {
  if (token !== null) throw new RangeError(`tokens of ${chain} are not taken`);
}
