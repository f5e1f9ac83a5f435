import { expect, test } from 'vitest';
import { Carriage } from './carry-messages.ts';

/** Requests that end when the test says so. */
function requests(carriage: Carriage) {
  const begun: (() => void)[] = [];
  const hang = (isSlow: boolean) =>
    carriage.withRequest(isSlow, () => new Promise<void>((resolve) => void begun.push(resolve)));
  return { begun, hang };
}

test('endpoints that answer slowly keep two requests at most, so that others are not held up', async () => {
  const carriage = new Carriage(4);
  const { begun, hang } = requests(carriage);
  const slow = Array.from({ length: 6 }, () => hang(true));
  await Promise.resolve();
  expect(begun).toHaveLength(2);
  const sent = Array.from({ length: 5 }, (_, n) => carriage.withRequest(false, async () => n));
  expect(await Promise.all(sent)).toEqual([0, 1, 2, 3, 4]);
  expect(begun).toHaveLength(2);
  for (let ended = 0; ended < slow.length; ended++) {
    begun[ended]?.();
    await slow[ended];
  }
  expect(begun).toHaveLength(6);
});

test('five requests are under way at once, in turn, and one of each endpoint where three share them', async () => {
  expect([1, 2, 3, 50].map((endpoints) => new Carriage(endpoints).atOnce)).toEqual([2, 2, 1, 1]);
  const { begun, hang } = requests(new Carriage(2));
  const all = Array.from({ length: 7 }, () => hang(false));
  await Promise.resolve();
  expect(begun).toHaveLength(5);
  begun[0]?.();
  await all[0];
  expect(begun).toHaveLength(6);
  for (const end of begun) end();
});
