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

  test('keeps its key where nobody answers for long, so that the next try is the same change', async () => {
    const kept = store();
    const { keys, call } = answering([...Array(7).fill(unknown), 'placed']);
    await expect(sendOnce('order', call, { store: kept, wait })).rejects.toBe(unknown);
    expect(await sendOnce('order', call, { store: kept, wait })).toBe('placed');
    expect(new Set(keys).size).toBe(1);
  });
});
