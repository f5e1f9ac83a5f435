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
  ({ type: 'order', clientOrderId, isOver, filled }) as const;

/** A runner at a venue that says what it was asked; timers wait for the test. */
function running(venue: Partial<Venue>, state: IcebergState = begun(), store = async (_: AlgorithmState) => {}) {
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
    seams: { now: () => 0, later },
    venue: {
      place: async (command, signal) => {
        asked.push(`place ${command.clientOrderId} ${command.size}`);
        return (await venue.place?.(command, signal)) ?? order(command.clientOrderId, false, '0');
      },
      cancel: async (id, signal) => {
        asked.push(`cancel ${id}`);
        return (await venue.cancel?.(id, signal)) ?? order(id, true, '0');
      },
      read: async (id, signal) => {
        asked.push(`read ${id}`);
        return (await venue.read?.(id, signal)) ?? null;
      },
    },
  });
  return { runner, asked, timers, troubles };
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
    const { runner, asked, timers, troubles } = running({ place });
    await runner.start();
    await settled();
    for (const fire of timers.splice(0)) fire();
    await settled();
    expect(asked).toEqual(['read run-1', 'place run-1 4', 'read run-1', 'place run-1 4']);
    expect(troubles).toEqual(['no_answer']);
    runner.close();
  });

  test('ends with what was refused, and leaves nothing behind on stop', async () => {
    const refused = running({
      place: async ({ clientOrderId }) => ({ type: 'refused', clientOrderId, code: 'FORBIDDEN' }),
    });
    await refused.runner.start();
    expect((await refused.runner.ended).reason).toEqual({ is: 'refused', code: 'FORBIDDEN' });
    const stopped = running({ cancel: async (id) => order(id, true, '3') });
    await stopped.runner.start();
    await settled();
    stopped.runner.stop();
    const ended = await stopped.runner.ended;
    expect([ended.reason, ended.filled, stopped.asked.at(-1)]).toEqual([{ is: 'stopped' }, '3', 'cancel run-1']);
  });
});
