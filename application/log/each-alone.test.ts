import { expect, test } from 'vitest';
import { BudgetSpent } from './budget-spent.ts';
import { eachAlone, failFor } from './each-alone.ts';

const each = (together = 1) => ({ idOf: (id: string) => id, failure: 'somebody was not served', together });

test.each([1, 2])(
  'what throws for one keeps back none of the others, %i at the same time, and is said at the end',
  async (together) => {
    const served: string[] = [];
    const failed = await eachAlone(['a', 'b', 'c', 'd', 'e'], each(together), async (id) => {
      if (id === 'a' || id === 'd') throw new Error(id);
      served.push(id);
    });
    expect([served, [...failed.keys()]]).toEqual([
      ['b', 'c', 'e'],
      ['a', 'd'],
    ]);
    expect(() => failFor('the job', new Map(), failed)).toThrow(
      expect.objectContaining({ message: 'the job: 2 failed', errors: [new Error('a'), new Error('d')] }),
    );
    expect(() => failFor('the job', new Map())).not.toThrow();
  },
);

test('nobody else is served once the queries of the invocation are used up, nor counts as failed', async () => {
  const asked: string[] = [];
  const spent = new Error('a query failed', { cause: new BudgetSpent('used up') });
  const run = eachAlone(['a', 'b', 'c'], each(), async (id) => {
    asked.push(id);
    if (id === 'b') throw spent;
  });
  await expect(run).rejects.toBe(spent);
  expect(asked).toEqual(['a', 'b']);
});
