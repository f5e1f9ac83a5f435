import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../calendar/durations.ts';
import { QUOTA_RESOURCES, TENANT_QUOTAS, windowEnd, windowStart } from './tenant-quotas.ts';

describe('quotas of a tenant', () => {
  it('bound everything that it uses up, by the day', () => {
    expect(TENANT_QUOTAS.flatMap(({ resource, window }) => (window === 'day' ? [resource] : []))).toEqual([
      ...QUOTA_RESOURCES,
    ]);
  });

  it('begin anew with each minute and each day', () => {
    const midnight = Date.parse('2026-11-21T00:00:00Z');
    expect(windowStart('day', midnight)).toBe(midnight);
    expect(windowStart('day', midnight - 1)).toBe(midnight - DAY_MS);
    expect(windowEnd('day', midnight)).toBe(midnight + DAY_MS);
    expect(windowStart('minute', midnight + MINUTE_MS - 1)).toBe(midnight);
    expect(windowEnd('minute', midnight + MINUTE_MS)).toBe(midnight + 2 * MINUTE_MS);
  });
});
