import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { askLedger } from '../../../../application/ledger/ask-ledger.ts';

const never = (): Promise<never> => new Promise(() => undefined);

test('a ledger that neither answers nor fails is waited for so long and no longer, and asked once', async () => {
  let asked = 0;
  const ask = (): Promise<never> => {
    asked += 1;
    return never();
  };
  expect(await askLedger(env, ask, 20)).toBeNull();
  expect(asked).toBe(1);
});

test('one that fails is asked again on a fresh stub', async () => {
  let asked = 0;
  const stubs = new Set<unknown>();
  const answer = await askLedger(env, async (ledger) => {
    stubs.add(ledger);
    asked += 1;
    if (asked < 3) throw new Error('the object was lost');
    return 'there';
  });
  expect([answer, asked, stubs.size]).toEqual(['there', 3, 3]);
});
