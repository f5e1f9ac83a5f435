import { createHash } from 'node:crypto';
import type { Vault } from '../chains/chain-adapter.ts';
import { EXCHANGE_CHAIN } from '../chains/chain-name.ts';
import { boundedPayoutCost } from '../chains/payout-costs.ts';
import type { LaneFloor } from '../lane-terms.ts';
import type { TransferTerms, Units } from '../transfer-terms.ts';

/** Where the funds of a transfer come and go, and who guards it. */
export interface TransferPlaces {
  /** Null for an account. */
  readonly source: Vault | null;
  readonly destination: Vault | null;
  /** Address on the exchange's chain. */
  readonly guard: string;
  /** Decimals of the ledger's asset. */
  readonly scale: number;
  /** What its lane takes at least; absent where it takes whatever comes. */
  readonly least?: Pick<LaneFloor, 'leastAmount' | 'flatFee'> | undefined;
  /** Any of it was replaced so long ago that no transfer of then is under way: whatever comes for one goes back. */
  readonly isOutlived?: boolean;
}

/**
 * 32 bytes in hexadecimal that are the same for the same places: SHA-256 over their fields as a JSON array. Of a contract the key is left out, which it says itself, and addresses are the same
 * in capitals.
 */
export function placesDigest({ source, destination, guard, scale }: TransferPlaces): string {
  const sides = [vaultFields(source), vaultFields(destination)];
  const fields = ['edge.bridge.places.v1', ...sides, guard.toLowerCase(), scale];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** 32 bytes in hexadecimal that are the same for the same vault, as in `placesDigest`. */
export function vaultDigest(vault: Vault | null): string {
  return createHash('sha256')
    .update(JSON.stringify(['edge.bridge.vault.v1', vaultFields(vault)]))
    .digest('hex');
}

/** Whether terms come in and go out in the amount that they count, in the decimals of these places: what limits see is what is paid. */
export function isInScale(
  { amount, fee, amountIn, amountOut }: Pick<TransferTerms, 'amount' | 'fee' | 'amountIn' | 'amountOut'>,
  { source, destination, scale }: TransferPlaces,
): boolean {
  const isExactly = (units: Units, decimals: number, counted: number) =>
    BigInt(units) * 10n ** BigInt(scale) === BigInt(counted) * 10n ** BigInt(decimals);
  return (
    isExactly(amountIn, source?.decimals ?? scale, amount) &&
    isExactly(amountOut, destination?.decimals ?? scale, amount - fee)
  );
}

/**
 * Whether a transfer is of so much, and costs so much, as its lane asks for at least, and a payout of a chain's own coin brings what it may cost at most where that is bounded (`boundedPayoutCost`). What
 * follows the chain's prices of the moment, or what a coin is worth in a token, is for quotes alone.
 */
export function isEnough(
  { amount, fee }: Pick<TransferTerms, 'amount' | 'fee'>,
  { destination, scale, least }: Pick<TransferPlaces, 'destination' | 'scale' | 'least'>,
): boolean {
  const { leastAmount = 1, flatFee = 0 } = least ?? {};
  return amount >= leastAmount && BigInt(fee) >= BigInt(flatFee) + ownCost(destination, scale);
}

/** In units of the ledger, rounded up as quotes have it. */
function ownCost(destination: Vault | null, scale: number): bigint {
  if (destination === null || destination.chain === EXCHANGE_CHAIN) return 0n;
  if (destination.token !== null || destination.custody !== undefined) return 0n;
  const { cost, decimals } = boundedPayoutCost(destination);
  const unit = 10n ** BigInt(decimals);
  return (BigInt(cost) * 10n ** BigInt(scale) + unit - 1n) / unit;
}

function vaultFields(vault: Vault | null): unknown {
  if (vault === null) return null;
  const { chain, network, keys, contract, token, decimals, custody } = vault;
  const key = contract === null ? [keys.scheme, keys.groupKey, ...keys.signerKeys] : null;
  const account = custody === undefined ? null : [custody.provider, custody.account, custody.asset];
  return [chain, network, contract?.toLowerCase() ?? null, token?.toLowerCase() ?? null, decimals, key, account];
}
