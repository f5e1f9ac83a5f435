import { expect, test } from 'vitest';
import { ASSET_STATUSES } from './asset.ts';
import { mayBecome } from './asset-status.ts';

test('an asset is approved or turned away, suspended and approved again, and delisted for good', () => {
  const allowed = ASSET_STATUSES.flatMap((from) =>
    ASSET_STATUSES.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
  );
  expect(allowed.toSorted()).toEqual([
    'APPROVED DELISTED',
    'APPROVED SUSPENDED',
    'PENDING APPROVED',
    'PENDING DELISTED',
    'SUSPENDED APPROVED',
    'SUSPENDED DELISTED',
  ]);
});
