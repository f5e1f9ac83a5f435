import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { KeyUses } from './key-uses.ts';

describe('I-18: the last use of an API key', () => {
  it('is written once a day and key, however often it is used', async () => {
    const written: string[] = [];
    const uses = new KeyUses(async (key, day) => void written.push(`${key} ${day}`));
    for (let use = 0; use < 1_000; use++) uses.note('a', null, use);
    uses.note('b', null, 5);
    uses.note('c', 0, 5);
    uses.note('a', null, DAY_MS);
    expect(written).toEqual(['a 0', 'b 0', 'a 1']);
  });

  it('is written again a minute later where that failed, and not with each use', async () => {
    let tries = 0;
    const uses = new KeyUses(async () => {
      tries += 1;
      throw new Error('away');
    });
    await uses.note('a', null, 0);
    for (let now = 1; now < 60_000; now += 1_000) await uses.note('a', null, now);
    expect(tries).toBe(1);
    await uses.note('a', null, 60_000);
    expect(tries).toBe(2);
  });
});
