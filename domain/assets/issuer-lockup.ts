import type { Side } from '../orders/order.ts';

interface LockedAsset {
  /** Unix milliseconds; null for none. */
  readonly lockupEndsAt: number | null;
}

/** Whether the issuer's lock-up of an asset is in force: nobody sells then, whatever their lots say. */
export function isLockedUp({ lockupEndsAt }: LockedAsset, now: number): boolean {
  return lockupEndsAt !== null && lockupEndsAt > now;
}

export interface LockupFailure {
  readonly reason: 'resale_restricted';
  readonly restrictionEndsAt: number | null;
  readonly rules: readonly ['issuer_lockup'];
}

/** Why an asset may not be sold now, or null. */
export function lockupFailure(side: Side, asset: LockedAsset, now: number): LockupFailure | null {
  if (side === 'buy' || !isLockedUp(asset, now)) return null;
  return { reason: 'resale_restricted', restrictionEndsAt: asset.lockupEndsAt, rules: ['issuer_lockup'] };
}
