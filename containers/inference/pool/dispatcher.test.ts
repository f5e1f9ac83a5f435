import { describe, expect, it } from 'vitest';
import { Dispatcher, type Job, type TaskKind } from './dispatcher.ts';

function withWorkers(workers: number, waiting_max = 8) {
  const dispatcher = new Dispatcher<string, Job>({ workers, waiting_max });
  for (let at = 0; at < workers; at++) dispatcher.add(`w${at}`);
  let id = 0;
  const offer = (kind: TaskKind) => dispatcher.offer({ id: ++id, kind });
  const start = () => {
    const assignment = dispatcher.next();
    return assignment && `${assignment.worker}:${assignment.job.kind}${assignment.job.id}`;
  };
  return { dispatcher, offer, start };
}

describe('jobs', () => {
  it('start in the order in which they came', () => {
    const { offer, start } = withWorkers(2);
    for (const kind of ['faces', 'weapons', 'faces'] as const) offer(kind);
    expect([start(), start(), start()]).toEqual(['w0:faces1', 'w1:weapons2', null]);
  });

  it('are refused when all places are taken, and taken again when one is free', () => {
    const { dispatcher, offer, start } = withWorkers(1, 2);
    expect([offer('faces'), offer('faces'), offer('faces')]).toEqual([true, true, false]);
    start();
    expect(offer('faces')).toBe(true);
    expect(dispatcher.waiting).toBe(2);
  });

  it('that are withdrawn free their place', () => {
    const { dispatcher, offer, start } = withWorkers(1, 2);
    offer('faces');
    offer('faces');
    expect(dispatcher.withdraw(1)).toBe(true);
    expect(start()).toBe('w0:faces2');
    expect(dispatcher.withdraw(2)).toBe(false);
    expect(dispatcher.workerOf(2)).toBe('w0');
  });

  it('of a lost worker are named once, and others go on', () => {
    const { dispatcher, offer, start } = withWorkers(2);
    offer('faces');
    offer('faces');
    start();
    start();
    expect(dispatcher.remove('w0')).toMatchObject({ id: 1 });
    expect(dispatcher.remove('w0')).toBeNull();
    expect(dispatcher.finish('w1')).toMatchObject({ id: 2 });
    expect(dispatcher.workers).toBe(1);
  });
});

describe('enhancements', () => {
  it('leave one worker to the faces that come after them', () => {
    const { dispatcher, offer, start } = withWorkers(2);
    for (const kind of ['enhance', 'enhance', 'faces'] as const) offer(kind);
    expect([start(), start()]).toEqual(['w0:enhance1', 'w1:faces3']);
    dispatcher.finish('w1');
    expect(start()).toBeNull();
    dispatcher.finish('w0');
    expect(start()).toBe('w1:enhance2');
  });

  it('have the only worker there is', () => {
    const { offer, start } = withWorkers(1);
    offer('enhance');
    expect(start()).toBe('w0:enhance1');
  });

  it('take at most half of the places', () => {
    const { offer } = withWorkers(2, 4);
    expect([offer('enhance'), offer('enhance'), offer('enhance'), offer('faces')]).toEqual([true, true, false, true]);
  });
});
