import { describe, expect, test } from 'vitest';
import { ExchangeError } from '../wire/failure.ts';
import type { AlgorithmState } from './algorithm.ts';
import { type IcebergState, iceberg, startIceberg } from './iceberg.ts';
import { AlgorithmRunner } from './runner.ts';
import type { Venue } from './venue.ts';

const TERMS = {
  symbol: 'ACME-USD',
  side: 'buy',
  quantity: '10',
  limitPrice: '20',
  lotSize: '1',
  sizeMin: '1',
} as const;
const begun = () => startIceberg('run', { ...TERMS, sliceSize: '4', jitterPercent: 0 });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const order = (clientOrderId: string, isOver: boolean, filled: string) =>
  ({ type: 'order', clientOrderId, isOver, filled, reason: null }) as const;

/** A runner at a venue that says what it was asked; timers wait for the test. */
function running(venue: Partial<Venue>, state: IcebergState = begun(), store = async (_: AlgorithmState) => {}) {
  const clock = { now: 0 };
  const asked: string[] = [];
  const timers: (() => void)[] = [];
  const troubles: string[] = [];
  const later = (run: () => void) => {
    timers.push(run);
    return () => {};
  };
  const runner = new AlgorithmRunner({
    algorithm: iceberg,
    state,
    store,
    onTrouble: ({ kind }) => troubles.push(kind),
    seams: { now: () => clock.now, later },
    venue: {
      place: async (command, signal) => {
        asked.push(`place ${command.clientOrderId} ${command.size}`);
        return (await venue.place?.(command, signal)) ?? order(command.clientOrderId, false, '0');
      },
      cancel: async (id, signal) => {
        asked.push(`cancel ${id}`);
        return venue.cancel === undefined ? order(id, true, '0') : await venue.cancel(id, signal);
      },
      read: async (id, signal) => {
        asked.push(`read ${id}`);
        return (await venue.read?.(id, signal)) ?? null;
      },
    },
  });
  const fire = async () => {
    for (const timer of timers.splice(0)) timer();
    await settled();
  };
  return { runner, asked, fire, clock, troubles };
}

describe('a runner of algorithms', () => {
  test('sends nothing before the state is stored that it follows from', async () => {
    let isStored: () => void = () => {};
    const store = () => new Promise<void>((resolve) => (isStored = resolve));
    const { runner, asked } = running({}, { ...begun(), orders: {}, placed: 0 }, store);
    void runner.start();
    await settled();
    expect(asked).toEqual([]);
    isStored();
    await settled();
    isStored();
    await settled();
    expect(asked).toEqual(['place run-1 4']);
    runner.close();
  });

  test('stops where a state cannot be stored, and sends nothing that follows from it', async () => {
    let stores = 0;
    const store = async () => {
      stores += 1;
      if (stores === 3) throw new Error('the disk is full');
    };
    const { runner, asked } = running({}, begun(), store);
    await runner.start();
    await settled();
    runner.tell(order('run-1', true, '4'));
    await expect(runner.ended).rejects.toThrow('the disk is full');
    expect(asked).toEqual(['read run-1', 'place run-1 4']);
  });

  test('looks for an order whose answer the runner before it never had, and does not place it twice', async () => {
    const { runner, asked } = running({ read: async (id) => order(id, false, '1') });
    await runner.start();
    await settled();
    expect(asked).toEqual(['read run-1']);
    expect(runner.state.orders['run-1']).toMatchObject({ stage: 'open', filled: '1' });
    runner.close();
  });

  test('asks again while the outcome is unknown, looks first, and says what keeps it', async () => {
    let tries = 0;
    const place: Venue['place'] = async ({ clientOrderId }) => {
      tries += 1;
      if (tries === 1) throw new ExchangeError({ kind: 'no_answer', message: 'lost' });
      return order(clientOrderId, false, '0');
    };
    const { runner, asked, fire, troubles } = running({ place });
    await runner.start();
    await settled();
    await fire();
    expect(asked).toEqual(['read run-1', 'place run-1 4', 'read run-1', 'place run-1 4']);
    expect(troubles).toEqual(['no_answer']);
    runner.close();
  });

  test('places nothing more once it is stopped: it looks until nothing that was sent can arrive', async () => {
    const place: Venue['place'] = async () => {
      throw new TypeError('fetch failed');
    };
    const { runner, asked, fire, clock } = running({ place });
    await runner.start();
    await settled();
    runner.stop();
    await settled();
    clock.now = 60_000;
    await fire();
    expect(runner.state.stage).toBe('ending');
    clock.now = 60_001;
    await fire();
    expect(await runner.ended).toMatchObject({ reason: { is: 'stopped' }, filled: '0', orders: {} });
    expect(asked.filter((call) => call.startsWith('place'))).toEqual(['place run-1 4']);
  });

  test('ends the call that places an order when it is stopped, and cancels what stands after all', async () => {
    let isFound = false;
    const place: Venue['place'] = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const read: Venue['read'] = async (id) => (isFound ? order(id, false, '1') : null);
    const cancel: Venue['cancel'] = async (id) => order(id, true, '2');
    const { runner, asked, fire, troubles } = running({ place, read, cancel });
    await runner.start();
    await settled();
    runner.stop();
    await settled();
    isFound = true;
    await fire();
    expect((await runner.ended).filled).toBe('2');
    expect(asked).toEqual(['read run-1', 'place run-1 4', 'read run-1', 'read run-1', 'cancel run-1']);
    expect(troubles).toEqual([]);
  });

  test('cancels again while the order shows as open, or is not found', async () => {
    const answers = [order('run-1', false, '1'), null, order('run-1', true, '3')];
    const { runner, asked, fire } = running({ cancel: async () => answers.shift() ?? null });
    await runner.start();
    await settled();
    runner.stop();
    await settled();
    await fire();
    expect(runner.state.stage).toBe('ending');
    await fire();
    expect((await runner.ended).filled).toBe('3');
    expect(asked.filter((call) => call.startsWith('cancel'))).toHaveLength(3);
  });

  test('goes on after whatever a call throws, and says it', async () => {
    let tries = 0;
    const read: Venue['read'] = async (id) => {
      tries += 1;
      if (tries === 1) throw new SyntaxError('no JSON');
      return order(id, false, '0');
    };
    const { runner, fire, troubles } = running({ read });
    await runner.start();
    await settled();
    await fire();
    expect([runner.state.orders['run-1']?.stage, troubles]).toEqual(['open', ['no_answer']]);
    runner.close();
  });

  test('ends with what was refused and why, also where the feed tells of the rejected order first', async () => {
    const refused = {
      type: 'refused',
      clientOrderId: 'run-1',
      code: 'FORBIDDEN',
      details: { scope: 'trade' },
    } as const;
    const rejected = { ...order('run-1', true, '0'), reason: 'FORBIDDEN', isRejected: true } as const;
    const { runner } = running({
      place: async () => {
        runner.tell(rejected);
        await settled();
        return refused;
      },
    });
    await runner.start();
    expect((await runner.ended).reason).toEqual({ is: 'refused', code: 'FORBIDDEN', details: { scope: 'trade' } });
  });

  test('ends with the code of an order that was stored as rejected where the answer to it was lost', async () => {
    const rejected = { ...order('run-1', true, '0'), reason: 'INSUFFICIENT_BALANCE', isRejected: true } as const;
    const lost = running({
      place: async () => {
        lost.runner.tell(rejected);
        throw new TypeError('fetch failed');
      },
      read: async () => (lost.asked.includes('place run-1 4') ? rejected : null),
    });
    await lost.runner.start();
    await settled();
    expect(lost.runner.state.stage).toBe('running');
    await lost.fire();
    expect((await lost.runner.ended).reason).toEqual({ is: 'refused', code: 'INSUFFICIENT_BALANCE', details: {} });
    const standing = running({});
    await standing.runner.start();
    await settled();
    standing.runner.tell({ ...rejected, reason: 'ASSET_NOT_TRADEABLE' });
    expect((await standing.runner.ended).reason).toMatchObject({ is: 'refused', code: 'ASSET_NOT_TRADEABLE' });
  });

  test('leaves nothing behind on stop', async () => {
    const stopped = running({ cancel: async (id) => order(id, true, '3') });
    await stopped.runner.start();
    await settled();
    stopped.runner.stop();
    const ended = await stopped.runner.ended;
    expect([ended.reason, ended.filled, stopped.asked.at(-1)]).toEqual([{ is: 'stopped' }, '3', 'cancel run-1']);
  });
});
