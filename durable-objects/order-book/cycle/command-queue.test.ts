import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookCommand } from '../rpc/commands.ts';
import { CommandQueue } from './command-queue.ts';
import { Call, PendingCommand } from './pending-command.ts';

let made = 0;

function waiting(command: Record<string, unknown>): PendingCommand {
  const amendmentId = `a-${made++}`;
  return new PendingCommand(
    { amendmentId, ...command } as unknown as BookCommand,
    { call: new Call(1), at: 0 },
    made,
    true,
    new Map(),
  );
}

function queueOf(...commands: readonly Record<string, unknown>[]) {
  const queue = new CommandQueue();
  const all = commands.map(waiting);
  for (const pending of all) queue.push(pending);
  return { queue, all };
}

/** What each batch has, until nothing waits. */
function batchesOf(queue: CommandQueue, count: number): PendingCommand[][] {
  const batches: PendingCommand[][] = [];
  for (let taken = queue.take(count); taken.length > 0; taken = queue.take(count)) {
    batches.push(taken);
    for (const pending of taken) queue.done(pending);
  }
  expect(queue.length).toBe(0);
  expect(queue.isBusy(null)).toBe(false);
  return batches;
}

const ACCOUNTS = ['ada', 'ben', 'cyd', 'dan'];
const account = fc.constantFrom(...ACCOUNTS);
const order = fc.integer({ min: 1, max: 3 });
const command = fc.oneof(
  fc.record({ type: fc.constantFrom('place', 'amend', 'amend', 'cancel', 'convert', 'reject'), account, order }),
  fc.record({ type: fc.constant('mass_cancel'), account, relative: fc.option(account, { nil: undefined }) }),
);

describe('T-07: the queue of a book', () => {
  it('keeps the order of each account, and has everybody wait for what is their own alone', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (commands, count) => {
        const { queue, all } = queueOf(
          ...commands.map((one) => ('order' in one ? { ...one, orderId: `${one.account} ${one.order}` } : one)),
        );
        const batches = batchesOf(queue, count);
        const taken = batches.flat();
        expect(new Set(taken)).toEqual(new Set(all));
        for (const name of ACCOUNTS) {
          const own = (list: readonly PendingCommand[]) => list.filter(({ command }) => command.account === name);
          expect(own(taken)).toEqual(own(all));
        }
        for (const batch of batches) {
          expect(batch.length).toBeLessThanOrEqual(count);
          expect(batch).toEqual(all.filter((pending) => batch.includes(pending)));
          const named = new Set<string>();
          const ended = new Set<string>();
          for (const { command: one } of batch) {
            expect(ended.has(one.account ?? '')).toBe(false);
            if (one.type === 'mass_cancel') {
              ended.add(one.account ?? '');
              continue;
            }
            if (one.type === 'amend') expect(named.has(one.orderId)).toBe(false);
            named.add(one.orderId);
          }
        }
      }),
    );
  });

  it('has the first command of everybody in the next batch, whatever and however much others have sent before', () => {
    const kinds = fc.array(fc.constantFrom('place', 'amend', 'cancel', 'mass_cancel', 'reject'), { maxLength: 300 });
    fc.assert(
      fc.property(kinds, kinds, (some, others) => {
        const of = (name: string) => (type: string) => ({ type, account: name, orderId: `${name} o` });
        const { queue, all } = queueOf(
          ...some.map(of('ada')),
          ...others.map(of('ben')),
          { type: 'place', account: 'cyd', orderId: 'c' },
          { type: 'amend', account: 'dan', orderId: 'd' },
        );
        const first = queue.take(20);
        for (const pending of all.slice(-2)) expect(first).toContain(pending);
      }),
    );
  });

  it('takes 300 amendments of one order in 300 batches, and 1,000 orders of others in the first', () => {
    const { queue } = queueOf(
      ...Array.from({ length: 300 }, () => ({ type: 'amend', account: 'one', orderId: 'o' })),
      ...Array.from({ length: 1_000 }, (_, at) => ({ type: 'place', account: `other-${at}`, orderId: `p-${at}` })),
    );
    expect(batchesOf(queue, 2_000).map(({ length }) => length)).toEqual([1_001, ...Array(299).fill(1)]);
  });

  it('gives each account its turn where not all fit, and begins the next batch with who was left out', () => {
    const place = (name: string) => ({ type: 'place', account: name, orderId: name });
    const names = ['maker', 'maker', 'maker', 'maker', 'ada', 'ada', 'ben'];
    const turnsOf = (count: number) =>
      batchesOf(queueOf(...names.map(place)).queue, count).map((batch) => batch.map(({ command: one }) => one.account));
    expect(turnsOf(1).flat()).toEqual(['maker', 'ada', 'ben', 'maker', 'ada', 'maker', 'maker']);
    expect(turnsOf(4)).toEqual([
      ['maker', 'maker', 'ada', 'ben'],
      ['maker', 'maker', 'ada'],
    ]);
  });

  it('puts the end of all orders into the next batch, behind which nothing later comes', () => {
    const { queue, all } = queueOf(
      ...Array.from({ length: 5 }, () => ({ type: 'amend', account: 'ada', orderId: 'o' })),
      { type: 'place', account: 'ben', orderId: 'b' },
      { type: 'mass_cancel', account: null },
      { type: 'place', account: 'cyd', orderId: 'c' },
    );
    expect(queue.take(100)).toEqual([all[0], all[5], all[6]]);
    expect(queue.take(100)).toEqual([all[1], all[7]]);
  });

  it('ends a family relation behind what both accounts sent before', () => {
    const { queue, all } = queueOf(
      { type: 'amend', account: 'ben', orderId: 'o' },
      { type: 'amend', account: 'ben', orderId: 'o' },
      { type: 'mass_cancel', account: 'ada', relative: 'ben' },
      { type: 'place', account: 'ada', orderId: 'later' },
    );
    expect(batchesOf(queue, 100)).toEqual([[all[0]], [all[1], all[2]], [all[3]]]);
  });
});
