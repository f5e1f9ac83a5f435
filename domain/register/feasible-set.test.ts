import { expect, test } from 'vitest';
import { feasibleSet, type RegisterMove } from './feasible-set.ts';

const move = (from: string, to: string, units: number, isOptional = true): RegisterMove => ({
  id: `${from}${to}${units}`,
  from,
  to,
  units,
  isOptional,
});
const nobodyHas = () => 0;

test('moves that wait for each other in a circle go together', () => {
  const circle = [move('ann', 'bob', 4), move('bob', 'cay', 4), move('cay', 'ann', 4)];
  expect(feasibleSet(circle, nobodyHas)).toEqual(circle);
});

test('a move that nobody covers is left out, and what needs it', () => {
  const circle = [move('ann', 'bob', 4), move('bob', 'ann', 4)];
  const more = [...circle, move('bob', 'cay', 1), move('cay', 'dan', 1)];
  expect(feasibleSet(more, nobodyHas)).toEqual(circle);
  expect(feasibleSet(more, (account) => (account === 'bob' ? 1 : 0))).toEqual(more);
});

test('a move that is asked for is not left out', () => {
  expect(feasibleSet([move('ann', 'bob', 4, false), move('bob', 'ann', 3)], nobodyHas)).toBeNull();
  expect(feasibleSet([move('ann', 'bob', 4, false), move('bob', 'ann', 4)], nobodyHas)).toHaveLength(2);
});
