import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { laneRules } from '../../../../application/bridge/lane-rules.ts';

const LANE = { origin: 'ethereum', symbol: 'USDC' } as const;
const RULES = { limit: 1_000, challenge: { from: 500, seconds: 3_600 } };

/** A Worker of the chains that answers as a test says, and how often it was asked. */
function chains(answer: () => Promise<unknown>) {
  const asked: string[] = [];
  const ask = (call: string) => {
    asked.push(call);
    return answer();
  };
  return { env: { CHAINS: { ask } }, asked };
}

test('what a guard says of a lane is read once a while, and what a chain does not say is null and waited for no longer', async () => {
  const guard = uuidv7();
  const { env, asked } = chains(async () => ({ ok: true, value: RULES }));
  expect(await laneRules(env, guard, [LANE])).toEqual([RULES]);
  expect(await laneRules(env, guard, [LANE])).toEqual([RULES]);
  expect(asked).toEqual(['lane']);

  const away = chains(async () => ({ ok: false, reason: 'away', isOutOfRange: false }));
  const silent = uuidv7();
  expect(await laneRules(away.env, silent, [LANE])).toEqual([null]);
  expect(await laneRules(away.env, silent, [LANE])).toEqual([null]);
  expect(away.asked).toEqual(['lane']);
});

test('one call reads a bounded number of lanes', async () => {
  const { env, asked } = chains(async () => ({ ok: true, value: RULES }));
  const lanes = Array.from({ length: 30 }, (_, number) => ({ origin: 'base', symbol: `A${number}` }) as const);
  const rules = await laneRules(env, uuidv7(), lanes);
  expect(rules.filter((each) => each !== null)).toHaveLength(20);
  expect(asked).toHaveLength(20);
});
