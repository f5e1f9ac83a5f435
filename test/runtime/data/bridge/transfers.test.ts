import { beforeAll, expect, test } from 'vitest';
import { listShownTransfers } from '../../../../data/bridge/transfers.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { plansOf } from '../../fixtures/plans-of.ts';

beforeAll(async () => {
  await migrate();
});

const ALL = { state: null, asset: null, account: null };

test.each([
  ['no filter', {}, 'organization (organization=? AND id<?)'],
  ['a state', { state: 'queued' }, 'organization_state (organization=? AND state=? AND id<?)'],
  ['an asset', { asset: 'USDC' }, 'organization_asset (organization=? AND asset=? AND id<?)'],
  ['an account', { account: 'a' }, 'organization_account (organization=? AND account=? AND id<?)'],
  [
    'a state and an asset',
    { state: 'queued', asset: 'USDC' },
    'organization_state (organization=? AND state=? AND id<?)',
  ],
  [
    'all of them',
    { state: 'queued', asset: 'USDC', account: 'a' },
    'organization_account (organization=? AND account=? AND id<?)',
  ],
] as const)(
  'a page of transfers by %s begins after the last one, and reads no row of others',
  async (_, filter, index) => {
    const page = { filter: { ...ALL, ...filter }, before: 'id', limit: 10 };
    const plans = await plansOf((db) => listShownTransfers(db, 'organization', page));
    const used = plans.flat().filter((step) => /\bbridge_transfers\b/.test(step));
    expect(used).toHaveLength(2);
    for (const step of used)
      expect(step.replace('COVERING ', '')).toBe(`SEARCH bridge_transfers USING INDEX bridge_transfers_${index}`);
    expect(plans.flat().filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  },
);
