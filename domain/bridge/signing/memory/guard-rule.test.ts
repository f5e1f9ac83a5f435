import { expect, test } from 'vitest';
import { firstIdOf } from '../../../ids/created-at-of.ts';
import { TERMS } from '../signing.fixtures.ts';
import { isUnderGuardRule, keepGuardRule, ROLLOUT_MS } from './guard-rule.ts';
import { PlainMemory } from './plain-memory.fixtures.ts';

const START = 1_800_000_000_000;
const begunAt = (time: number) => ({ ...TERMS, id: firstIdOf(time) });

test('what the guard shows for another transfer is void of those alone that began once all five had the release', () => {
  const memory = new PlainMemory();
  const [from, later] = [START + ROLLOUT_MS, START + 2 * ROLLOUT_MS];
  expect(isUnderGuardRule(memory, begunAt(from + 1), later)).toBe(false);
  keepGuardRule(memory, START);
  // It is not written anew.
  keepGuardRule(memory, later);
  for (const [time, now, isUnder] of [
    [START + 1, later, false],
    [from, later, false],
    [from + 1, later, true],
    [from + 1, from, false],
  ] as const)
    expect(isUnderGuardRule(memory, begunAt(time), now)).toBe(isUnder);
  expect(isUnderGuardRule(memory, { ...TERMS, id: 'none' }, later)).toBe(false);
});
