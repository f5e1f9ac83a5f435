import { describe, expect, it } from 'vitest';
import { askAgain } from './ask-again.ts';

/** An object that is lost at the first calls. */
function lostAt(losses: number) {
  const times: number[] = [];
  const ask = async () => {
    times.push(performance.now());
    if (times.length <= losses) throw new Error(`lost ${times.length}`);
    return 'answer';
  };
  return { ask, times };
}

describe('an object that is lost', () => {
  it('is asked a second time at once, and no third time', async () => {
    const [once, twice] = [lostAt(1), lostAt(2)];
    expect(await askAgain(once.ask)).toBe('answer');
    await expect(askAgain(twice.ask)).rejects.toThrow('lost 2');
    expect(twice.times).toHaveLength(2);
  });

  it('is asked as often as is said, each wait twice the one before', async () => {
    const { ask, times } = lostAt(3);
    expect(await askAgain(ask, { attemptsMax: 4, backoff_ms: 10 })).toBe('answer');
    const [first = 0, second = 0, third = 0, fourth = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(9);
    expect(third - second).toBeGreaterThanOrEqual(19);
    expect(fourth - third).toBeGreaterThanOrEqual(39);
    await expect(askAgain(lostAt(4).ask, { attemptsMax: 4, backoff_ms: 0 })).rejects.toThrow('lost 4');
  });
});
