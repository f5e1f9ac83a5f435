import type { AssetStatus } from './asset.ts';

/** What each status may become (docs/design/operators.md#states-of-an-asset). A delisted asset stays delisted. */
const NEXT: Readonly<Record<AssetStatus, readonly AssetStatus[]>> = {
  PENDING: ['APPROVED', 'DELISTED'],
  APPROVED: ['SUSPENDED', 'DELISTED'],
  SUSPENDED: ['APPROVED', 'DELISTED'],
  DELISTED: [],
};

export function mayBecome(from: AssetStatus, to: AssetStatus): boolean {
  return NEXT[from].includes(to);
}

/** What a new asset may be: under review, or approved at once. */
export const FIRST_STATUSES = ['APPROVED', 'PENDING'] as const satisfies readonly AssetStatus[];

/**
 * What becomes of the markets of an asset that gets this status: they lose their open orders when they are halted or closed. An approved
 * asset's markets stay as they are, and those of one that was suspended are resumed one by one.
 */
export const MARKETS_OF: Readonly<Record<AssetStatus, 'halted' | 'closed' | null>> = {
  PENDING: null,
  APPROVED: null,
  SUSPENDED: 'halted',
  DELISTED: 'closed',
};
