import { expect, test } from 'vitest';
import { ServerWatch } from '../../scripts/local/server-watch.ts';

/** Answers of the server in turn; after them it stays as it was last. */
function watchOf(answers: readonly boolean[]): { watch: ServerWatch; probes: () => number } {
  let probes = 0;
  const probe = async (): Promise<boolean> => answers[Math.min(probes++, answers.length - 1)] ?? true;
  return { watch: new ServerWatch({ probe, pause: () => Promise.resolve() }), probes: () => probes };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
};

test('a server that answers nothing three times in a row is silent', async () => {
  const { watch, probes } = watchOf([true, false]);
  await watch.silent;
  expect(probes()).toBe(4);
});

test('one that misses now and then is not', async () => {
  const { watch, probes } = watchOf([false, false, true, false, false, true]);
  const waited = await Promise.race([watch.silent.then(() => 'silent'), turns().then(() => 'watched')]);
  expect(waited).toBe('watched');
  expect(probes()).toBeGreaterThan(20);
  watch.stop();
});

test('one that is being stopped is not watched any more', async () => {
  const { watch, probes } = watchOf([false]);
  watch.stop();
  expect(await Promise.race([watch.silent.then(() => 'silent'), turns().then(() => 'watched')])).toBe('watched');
  expect(probes()).toBe(0);
});
