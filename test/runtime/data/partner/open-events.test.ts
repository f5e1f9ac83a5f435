import { beforeAll, describe, expect, it } from 'vitest';
import { listOpenEvents, unfinishedEvents } from '../../../../data/partner/register/register-events.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { plansOf } from '../../fixtures/plans-of.ts';

beforeAll(async () => {
  await migrate();
});

const page = { security: null, after: null, limit: 10 };

describe('events of registers that are open', () => {
  it.each([
    ['listed for all securities', page],
    ['listed behind one', { ...page, after: 'e' }],
    ['listed of one security', { ...page, security: 's', after: 'e' }],
  ])('%s are found by their index, and not among all events', async (_, query) => {
    const [steps = []] = await plansOf((db) => listOpenEvents(db, query));
    expect(steps.join()).toMatch(/USING INDEX register_events_(open|announced)/);
  });

  it('left behind are found so, too', async () => {
    const [steps = []] = await plansOf((db) => unfinishedEvents(db, 1_000, { staged: 1, announced: 1 }, 10));
    expect(steps.join()).toContain('USING INDEX register_events_open');
  });
});
