import { expect, test } from 'vitest';
import { isDue, Schedule } from '../../scripts/local/schedule.ts';

const START = Date.parse('2026-11-23T10:03:20Z');
const minute = (time: string) => Date.parse(`2026-11-23T${time}:00Z`);

test('a cron is due by its minute', () => {
  expect(isDue('*/5 * * * *', minute('10:05'))).toBe(true);
  expect(isDue('*/5 * * * *', minute('10:06'))).toBe(false);
  expect(isDue('17 * * * *', minute('11:17'))).toBe(true);
  expect(isDue('17 * * * *', minute('11:16'))).toBe(false);
  expect(isDue('* * * * *', minute('11:16'))).toBe(true);
  for (const other of ['0 3 * * *', '1-5 * * * *', 'x * * * *', '* * * *'])
    expect(() => isDue(other, START)).toThrow(other);
});

/** Runs the schedule until this moment; what ran when, and what failed. */
async function ranUntil(
  end: number,
  run: (cron: string) => Promise<void>,
): Promise<{ ran: string[]; failed: string[] }> {
  const [ran, failed]: string[][] = [[], []];
  let now = START;
  await new Promise<void>((resolve) => {
    const schedule = new Schedule(['17 * * * *', '*/5 * * * *'], {
      now: () => now,
      sleepUntil: async (at) => {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        now = at;
        if (at <= end) return;
        schedule.stop();
        resolve();
      },
      run: (cron) => {
        ran?.push(`${new Date(now).toISOString().slice(11, 16)} ${cron}`);
        return run(cron);
      },
      failed: (cron) => void failed?.push(cron),
    });
  });
  return { ran: ran ?? [], failed: failed ?? [] };
}

test('crons run at their minutes', async () => {
  const { ran, failed } = await ranUntil(minute('10:20'), async () => undefined);
  expect(ran).toEqual([
    '10:05 */5 * * * *',
    '10:10 */5 * * * *',
    '10:15 */5 * * * *',
    '10:17 17 * * * *',
    '10:20 */5 * * * *',
  ]);
  expect(failed).toEqual([]);
});

test('one that is still running is not begun again, and keeps back no other', async () => {
  const { ran } = await ranUntil(minute('10:20'), (cron) =>
    cron.startsWith('*') ? new Promise(() => undefined) : Promise.resolve(),
  );
  expect(ran).toEqual(['10:05 */5 * * * *', '10:17 17 * * * *']);
});

test('one that fails is told, and runs again', async () => {
  const { ran, failed } = await ranUntil(minute('10:10'), () => Promise.reject(new Error('a test')));
  expect(ran).toHaveLength(2);
  expect(failed).toEqual(['*/5 * * * *', '*/5 * * * *']);
});
