import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { dailyLimits } from '../../../../application/bridge/daily-limits.ts';

const LANE = { origin: 'ethereum', symbol: 'USDC' } as const;

/** A Worker of the chains that answers as a test says, and how often it was asked. */
function chains(answer: () => Promise<unknown>) {
  const asked: string[] = [];
  const ask = (call: string) => {
    asked.push(call);
    return answer();
  };
  return { env: { CHAINS: { ask } }, asked };
}

test('a limit is read once a while, and what a chain does not say is null and waited for no longer', async () => {
  const guard = uuidv7();
  const { env, asked } = chains(async () => ({ ok: true, value: 1_000 }));
  expect(await dailyLimits(env, guard, [LANE])).toEqual([1_000]);
  expect(await dailyLimits(env, guard, [LANE])).toEqual([1_000]);
  expect(asked).toEqual(['laneLimit']);

  const away = chains(async () => ({ ok: false, reason: 'away', isOutOfRange: false }));
  const silent = uuidv7();
  expect(await dailyLimits(away.env, silent, [LANE])).toEqual([null]);
  expect(await dailyLimits(away.env, silent, [LANE])).toEqual([null]);
  expect(away.asked).toEqual(['laneLimit']);
});

test('one call reads a bounded number of limits', async () => {
  const { env, asked } = chains(async () => ({ ok: true, value: 7 }));
  const lanes = Array.from({ length: 30 }, (_, number) => ({ origin: 'base', symbol: `A${number}` }) as const);
  const limits = await dailyLimits(env, uuidv7(), lanes);
  expect(limits.filter((limit) => limit === 7)).toHaveLength(20);
  expect(asked).toHaveLength(20);
});
