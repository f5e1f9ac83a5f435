import { describe, expect, test } from 'vitest';
import { ApiProblem } from './api-problem.ts';
import { sendOnce } from './send-once.ts';

const unknown = new ApiProblem({
  code: 'SERVICE_UNAVAILABLE',
  message: '',
  status: 503,
  details: { reason: 'outcome_unknown' },
});
const refused = new ApiProblem({ code: 'INSUFFICIENT_BALANCE', message: '', status: 422 });

function store() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** Answers in this order, and the keys that were sent. */
function answering(answers: readonly (Error | string)[]) {
  const keys: string[] = [];
  const call = async (key: string) => {
    const answer = answers[keys.length];
    keys.push(key);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { keys, call };
}

const wait = async () => {};

describe('a change that is sent once', () => {
  test('asks with the same key while it is not known what became of it', async () => {
    const kept = store();
    const { keys, call } = answering([
      unknown,
      new ApiProblem({ code: 'NO_ANSWER', message: '', status: 0 }),
      'placed',
    ]);
    let asked = 0;
    expect(await sendOnce('order', call, { store: kept, wait, onAsking: () => (asked += 1) })).toBe('placed');
    expect(new Set(keys).size).toBe(1);
    expect([keys.length, asked, kept.kept.size]).toEqual([3, 2, 0]);
  });

  test('is another one after an answer that is final', async () => {
    const kept = store();
    const { keys, call } = answering([refused, 'placed']);
    await expect(sendOnce('order', call, { store: kept, wait })).rejects.toBe(refused);
    await sendOnce('order', call, { store: kept, wait });
    expect(new Set(keys).size).toBe(2);
  });

  test.each([
    ['the first try still runs', { status: 409, details: { reason: 'in_flight' } }],
    ['the answer could not be kept', { status: 503 }],
    ['reads do not show it yet', { status: 503, details: { reason: 'read_model_unavailable' } }],
    ['something broke', { status: 500 }],
    ['the edge gave up', { status: 524 }],
  ])('asks with the same key after a lost connection where %s', async (_, answer) => {
    const kept = store();
    const open = new ApiProblem({ code: 'ANY', message: '', ...answer });
    const { keys, call } = answering([new ApiProblem({ code: 'NO_ANSWER', message: '', status: 0 }), open, 'placed']);
    expect(await sendOnce('order', call, { store: kept, wait })).toBe('placed');
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  test.each([401, 403, 429])('keeps its key where the next try is turned away with %i', async (status) => {
    const kept = store();
    const turnedAway = new ApiProblem({ code: 'ANY', message: '', status });
    const { keys, call } = answering([unknown, ...Array(status === 429 ? 6 : 1).fill(turnedAway), 'placed']);
    await expect(sendOnce('order', call, { store: kept, wait })).rejects.toBe(turnedAway);
    expect(await sendOnce('order', call, { store: kept, wait })).toBe('placed');
    expect(new Set(keys).size).toBe(1);
  });

  test.each([401, 403])('keeps its key where it is turned away with %i when it is asked for again', async (status) => {
    const kept = store();
    const turnedAway = new ApiProblem({ code: 'STEP_UP_REQUIRED', message: '', status });
    const { keys, call } = answering([...Array(7).fill(unknown), turnedAway, 'placed']);
    await expect(sendOnce('order', call, { store: kept, wait })).rejects.toBe(unknown);
    await expect(sendOnce('order', call, { store: kept, wait })).rejects.toBe(turnedAway);
    expect(await sendOnce('order', call, { store: kept, wait })).toBe('placed');
    expect(new Set(keys).size).toBe(1);
  });

  test('keeps its key where the page breaks over an answer, and does not wait', async () => {
    const kept = store();
    const broken = new TypeError('any');
    const { keys, call } = answering([broken, 'placed']);
    await expect(sendOnce('order', call, { store: kept, wait })).rejects.toBe(broken);
    expect(await sendOnce('order', call, { store: kept, wait })).toBe('placed');
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test('waits no longer than it would by itself, whatever an answer asks for', async () => {
    const slow = new ApiProblem({ code: 'ANY', message: '', status: 503, retryAfter: 3_600_000 });
    const waited: number[] = [];
    const { call } = answering([slow, 'placed']);
    await sendOnce('order', call, { store: store(), wait: async (ms) => void waited.push(ms) });
    expect(waited).toEqual([15_000]);
  });

  test('keeps its key where nobody answers for long, so that the next try is the same change', async () => {
    const kept = store();
    const { keys, call } = answering([...Array(7).fill(unknown), 'placed']);
    await expect(sendOnce('order', call, { store: kept, wait })).rejects.toBe(unknown);
    expect(await sendOnce('order', call, { store: kept, wait })).toBe('placed');
    expect(new Set(keys).size).toBe(1);
  });
});
