import { beforeAll, expect, test } from 'vitest';
import { listHoldings } from '../../../../data/partner/register/cap-table.ts';
import { listRegisterAt } from '../../../../data/partner/reports.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { plansOf } from '../../fixtures/plans-of.ts';

beforeAll(async () => {
  await migrate();
});

test('the register of holders reads the lines of each holder, and not all events for each', async () => {
  const [steps = []] = await plansOf((db) => listRegisterAt(db, 'security', { sequence: 1, after: '', limit: 1 }));
  const events = steps.filter((step) => /^SEARCH e /.test(step));
  expect(events).toHaveLength(5);
  for (const step of events) expect(step).toMatch(/\(id=\?\)$/);
  expect(steps.filter((step) => /^SEARCH c /.test(step))).toEqual(
    events.map(() => 'SEARCH c USING INDEX register_changes_holder (holder=?)'),
  );
});

test.each([
  ['now', null],
  ['as of a moment', 1_000],
] as const)(
  'a page of holders %s begins after the last one, in order, and reads no line of others',
  async (_, asOf) => {
    const [steps = []] = await plansOf((db) => listHoldings(db, 'security', { asOf, after: 'holder', limit: 1 }));
    const searched = (table: string) => steps.filter((step) => step.startsWith(`SEARCH ${table} `));
    expect(searched('r')).toEqual([expect.stringMatching(/\(security=\? AND holder>\?\)$/)]);
    expect(searched('h')).toEqual([expect.stringMatching(/\(id=\?\)$/)]);
    expect(searched('c').length > 0).toBe(asOf !== null);
    for (const step of searched('c')) expect(step).toBe('SEARCH c USING INDEX register_changes_holder (holder=?)');
    for (const step of searched('e')) expect(step).toMatch(/\(id=\?\)$/);
  },
);
