import { describe, expect, it } from 'vitest';
import { Dispatcher, type Job, type TaskKind } from './dispatcher.ts';

function withWorkers(workers: number, waiting_max = 8) {
  const dispatcher = new Dispatcher<string, Job>({ workers, waiting_max });
  for (let at = 0; at < workers; at++) dispatcher.add(`w${at}`);
  let id = 0;
  const offer = (kind: TaskKind, tenant = 'a', work = 1) => dispatcher.offer({ id: ++id, kind, tenant, work });
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
    expect([offer('faces'), offer('faces'), offer('faces')]).toEqual([null, null, 'refused']);
    expect(dispatcher.isFull('faces', 'a')).toBe(true);
    start();
    expect(offer('faces')).toBeNull();
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
    expect([offer('enhance'), offer('enhance'), offer('enhance'), offer('faces')]).toEqual([
      null,
      null,
      'refused',
      null,
    ]);
  });
});

describe('large images', () => {
  it('leave one worker to the small ones that come after them', () => {
    const { dispatcher, offer, start } = withWorkers(2);
    for (const work of [40, 40, 1]) offer('faces', 'a', work);
    expect([start(), start(), start()]).toEqual(['w0:faces1', 'w1:faces3', null]);
    dispatcher.finish('w0');
    expect(start()).toBe('w0:faces2');
  });
});

describe('tenants', () => {
  function served(count: number, { dispatcher, start }: ReturnType<typeof withWorkers>): string[] {
    return Array.from({ length: count }, () => {
      const started = start() ?? 'nothing';
      dispatcher.finish('w0');
      return started.replace('w0:faces', '');
    });
  }

  it('take turns, each in its own order', () => {
    const workers = withWorkers(1, 16);
    for (const tenant of ['a', 'a', 'a', 'b', 'b', 'c']) workers.offer('faces', tenant);
    expect(served(6, workers)).toEqual(['1', '4', '6', '2', '5', '3']);
  });

  it('take turns by work: small images of one are not held up by large ones of another', () => {
    const workers = withWorkers(1, 16);
    for (let at = 0; at < 3; at++) workers.offer('faces', 'large', 7);
    for (let at = 0; at < 8; at++) workers.offer('faces', 'small', 1);
    expect(served(9, workers)).toEqual(['1', '4', '5', '6', '7', '8', '9', '10', '2']);
  });

  it('save up no turns while they send nothing', () => {
    const workers = withWorkers(1, 16);
    for (let at = 0; at < 6; at++) workers.offer('faces', 'busy');
    served(3, workers);
    for (let at = 0; at < 3; at++) workers.offer('faces', 'late');
    expect(served(6, workers)).toEqual(['7', '4', '8', '5', '9', '6']);
  });

  it('cannot fill the queue against each other: who has most places gives one up, the last', () => {
    const { dispatcher, offer } = withWorkers(1, 4);
    for (let at = 0; at < 4; at++) offer('faces', 'a');
    expect(offer('faces', 'b')).toMatchObject({ id: 4, tenant: 'a' });
    expect(dispatcher.isFull('faces', 'a')).toBe(true);
    expect(offer('faces', 'b')).toMatchObject({ id: 3, tenant: 'a' });
    expect([offer('faces', 'b'), offer('faces', 'a')]).toEqual(['refused', 'refused']);
    expect(dispatcher.waiting).toBe(4);
  });

  it('share the places of enhancements, too', () => {
    const { offer } = withWorkers(1, 4);
    for (let at = 0; at < 2; at++) offer('enhance', 'a');
    expect(offer('enhance', 'b')).toMatchObject({ id: 2, tenant: 'a' });
  });
});
