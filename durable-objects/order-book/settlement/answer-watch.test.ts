import { describe, expect, it } from 'vitest';
import { AnswerWatch, answeredWithin, NoAnswer, type Timer } from './answer-watch.ts';

/** Timers that ring when the test says so. */
function clock(): { timer: Timer; pass: (ms: number) => Promise<void>; armed: () => number; made: () => number } {
  const timers = new Set<{ at: number; ring: () => void }>();
  let now = 0;
  let made = 0;
  return {
    armed: () => timers.size,
    made: () => made,
    timer: (ms, ring) => {
      made += 1;
      const timer = { at: now + ms, ring };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.ring();
        await Promise.resolve();
      }
      now = until;
    },
  };
}

const never = (): Promise<never> => new Promise(() => undefined);
const nothing = (): void => undefined;

describe('a wait for answers', () => {
  it('ends with the answer or the failure of the call', async () => {
    const watch = new AnswerWatch(clock().timer);
    expect(await watch.within(5_000, nothing, async () => 7)).toBe(7);
    await expect(watch.within(5_000, nothing, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  });

  it('of a call that hangs ends after its limit, a second more at most, with a tick every second', async () => {
    const { timer, pass } = clock();
    let ticks = 0;
    const tick = (): void => {
      ticks += 1;
    };
    const ended = new AnswerWatch(timer).within(5_000, tick, never).catch((error: unknown) => error);
    await pass(5_000);
    expect(await Promise.race([ended, 'waits'])).toBe('waits');
    await pass(1_000);
    expect(await ended).toBeInstanceOf(NoAnswer);
    expect(ticks).toBe(6);
  });

  it('counts for each call anew, whatever timer an earlier one has left running', async () => {
    const { timer, pass, armed } = clock();
    const watch = new AnswerWatch(timer);
    await watch.within(2_000, nothing, async () => 1);
    await pass(999);
    const ended = watch.within(2_000, nothing, never).catch((error: unknown) => error);
    await pass(2_000);
    expect(await Promise.race([ended, 'waits'])).toBe('waits');
    await pass(1_000);
    expect(await ended).toBeInstanceOf(NoAnswer);
    expect(armed()).toBe(0);
  });

  it('makes one timer for calls that follow each other, and none while there is nothing to wait for', async () => {
    const { timer, pass, made, armed } = clock();
    const watch = new AnswerWatch(timer);
    for (let call = 0; call < 1_000; call++) await watch.within(5_000, nothing, async () => call);
    expect(made()).toBe(1);
    await pass(1_000);
    expect(armed()).toBe(0);
  });

  it('of one call by itself ends the same way, and leaves no timer', async () => {
    const { timer, pass, armed } = clock();
    expect(await answeredWithin(timer, 100, Promise.resolve(7))).toBe(7);
    expect(armed()).toBe(0);
    const ended = answeredWithin(timer, 100, never()).catch((error: unknown) => error);
    await pass(100);
    expect(await ended).toBeInstanceOf(NoAnswer);
  });
});
