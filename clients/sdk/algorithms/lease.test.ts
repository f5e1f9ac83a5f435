import { describe, expect, test } from 'vitest';
import { type IcebergState, iceberg, startIceberg } from './iceberg.ts';
import { type Kept, LEASE_MS, RENEW_MS, StateHeld, type StateStore } from './lease.ts';
import { open, over, TERMS } from './played-orders.fixtures.ts';
import { AlgorithmRunner } from './runner.ts';

const begun = (id = 'run') => startIceberg(id, { ...TERMS, sliceSize: '4', jitterPercent: 0 });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** One store, with a clock, and runners of it at a venue that notes what is placed. */
function world() {
  const clock = { now: 1_000_000 };
  const kept: Kept<IcebergState>[] = [];
  const gone: string[] = [];
  /** Answers of so many swaps are lost, though they are done. */
  const lost = { swaps: 0 };
  const storeOf = (holder: string): StateStore<IcebergState> => ({
    holder,
    read: async () => {
      const last = kept.at(-1);
      return last === undefined ? null : { kept: structuredClone(last), version: kept.length };
    },
    swap: async (version, next) => {
      if (version !== kept.length) return false;
      kept.push(structuredClone(next));
      if (lost.swaps === 0) return true;
      lost.swaps -= 1;
      return false;
    },
    isGone: (other) => gone.some((one) => other.startsWith(one)),
  });
  const placed: string[] = [];
  /** Whose placements have no answer. */
  const unanswered: string[] = [];
  const run = (holder: string, state = begun(), store = storeOf(holder)) => {
    const timers: { readonly run: () => void; readonly at: number; readonly ms: number }[] = [];
    const runner = new AlgorithmRunner({
      algorithm: iceberg,
      state,
      store,
      seams: {
        now: () => clock.now,
        later: (wake, ms) => {
          const timer = { run: wake, at: clock.now + ms, ms };
          timers.push(timer);
          return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
        },
      },
      venue: {
        place: async ({ clientOrderId }) => {
          placed.push(`${holder} ${clientOrderId}`);
          if (unanswered.includes(holder)) throw new TypeError('fetch failed');
          return open(clientOrderId) as Extract<ReturnType<typeof open>, { type: 'order' }>;
        },
        cancel: async (id) => over(id, '0', 'user') as Extract<ReturnType<typeof over>, { type: 'order' }>,
        read: async () => null,
      },
    });
    /** Time goes on, for this runner's timers alone, and of them for those that are no longer than this. */
    const pass = async (ms: number, longest = Number.POSITIVE_INFINITY) => {
      clock.now += ms;
      for (const due of timers.filter((timer) => timer.at <= clock.now && timer.ms <= longest)) {
        timers.splice(timers.indexOf(due), 1);
        due.run();
        await settled();
      }
    };
    return { runner, pass };
  };
  return { clock, kept, gone, lost, placed, unanswered, storeOf, run };
}

describe('a state that is kept with a lease', () => {
  test('has one runner: a second one is told who has it, and places nothing', async () => {
    const { run, placed } = world();
    const first = run('host-a');
    await first.runner.start();
    await settled();
    const second = run('host-b');
    const refused = await second.runner.start().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StateHeld);
    expect(String(refused)).toContain('run by host-a');
    await expect(second.runner.ended).rejects.toBe(refused);
    await first.pass(RENEW_MS);
    await first.pass(RENEW_MS);
    await first.pass(RENEW_MS);
    expect(
      await run('host-b')
        .runner.start()
        .catch((error: unknown) => error),
      'it was renewed',
    ).toBeInstanceOf(StateHeld);
    expect(placed).toEqual(['host-a run-1']);
  });

  test('has one runner also where both have the same store, and where both begin at once', async () => {
    const { run, storeOf, placed } = world();
    const store = storeOf('host-a');
    const both = [run('one', begun(), store), run('two', begun(), store)];
    const started = await Promise.allSettled(both.map(({ runner }) => runner.start()));
    await settled();
    expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(placed).toHaveLength(1);
  });

  test('is gone on with by another once the first is closed, is known to be gone, or its time is over', async () => {
    const { run, kept, gone, clock } = world();
    const first = run('host-a');
    await first.runner.start();
    await settled();
    await first.runner.close();
    const second = run('host-b', begun());
    await second.runner.start();
    expect(second.runner.state.orders['run-1']?.stage).toBe('open');
    gone.push('host-b');
    await run('host-c').runner.start();
    clock.now += LEASE_MS;
    await run('host-d').runner.start();
    expect(kept.at(-1)?.lease?.holder).toContain('host-d');
  });

  test('is left alone by a runner that slept while another one took it', async () => {
    const { run, clock, placed } = world();
    const first = run('host-a');
    await first.runner.start();
    await settled();
    clock.now += LEASE_MS;
    const second = run('host-b');
    await second.runner.start();
    first.runner.tell(over('run-1', '4'));
    await expect(first.runner.ended).rejects.toBeInstanceOf(StateHeld);
    second.runner.tell(over('run-1', '4'));
    await settled();
    expect(placed).toEqual(['host-a run-1', 'host-b run-2']);
    expect(second.runner.state.filled).toBe('4');
  });

  test('is looked at before an order is sent again after a long pause', async () => {
    const { run, clock, placed, unanswered } = world();
    unanswered.push('host-a');
    const asleep = run('host-a');
    await asleep.runner.start();
    await settled();
    clock.now += LEASE_MS;
    const other = run('host-b');
    await other.runner.start();
    await settled();
    // The timer of the next try comes before that of the lease.
    const why: unknown[] = [];
    asleep.runner.ended.catch((error: unknown) => why.push(error));
    await asleep.pass(0, 1_000);
    await settled();
    expect(why).toEqual([expect.any(StateHeld)]);
    expect(placed).toEqual(['host-a run-1', 'host-b run-1']);
  });

  test('is kept on where the answer of the store is lost', async () => {
    const { run, lost } = world();
    lost.swaps = 1;
    const { runner } = run('host-a');
    await runner.start();
    lost.swaps = 1;
    await settled();
    runner.tell(over('run-1', '4'));
    await settled();
    expect([runner.state.placed, runner.state.filled]).toEqual([2, '4']);
  });

  test('is of one run: another one does not begin on it', async () => {
    const { run } = world();
    const { runner } = run('host-a');
    await runner.start();
    await runner.close();
    await expect(run('host-b', begun('other')).runner.start()).rejects.toThrow('the store has the run run of iceberg');
  });
});
