import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Cancellations } from './cancellations.ts';

interface Pending {
  readonly id: string;
  readonly account: string;
  readonly keyIds: readonly string[] | null;
  readonly books: readonly string[];
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is pending, and what each book answers: false until it can, or never anything. */
class Ledger {
  readonly pending = new Map<string, Pending>();
  readonly asked: string[] = [];
  readonly answers = new Map<string, () => Promise<boolean>>();
  readonly cancellations = new Cancellations({
    pending: () => [...this.pending.values()],
    cancelIn: (book, { account }) => {
      this.asked.push(`${book} ${account}`);
      return this.answers.get(book)?.() ?? Promise.resolve(true);
    },
    confirm: async (id, book) => {
      const pending = this.pending.get(id);
      const left = pending?.books.filter((other) => other !== book) ?? [];
      if (pending === undefined || left.length === 0) this.pending.delete(id);
      else this.pending.set(id, { ...pending, books: left });
    },
    warn: () => undefined,
  });

  add(id: string, account: string, ...books: string[]): void {
    this.pending.set(id, { id, account, keyIds: null, books });
  }
}

const never = (): Promise<boolean> => new Promise(() => undefined);

it('books that never answer hold up no other account, however many they are', async () => {
  const ledger = new Ledger();
  const hung = Array.from({ length: 20 }, (_, index) => `HUNG${index}`);
  for (const book of hung) ledger.answers.set(book, never);
  ledger.add('1', 'a', ...hung);
  ledger.cancellations.kickAtOnce();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new Set(ledger.asked).size).toBe(20);
  ledger.add('2', 'b', 'FINE');
  ledger.cancellations.kickAtOnce();
  await vi.advanceTimersByTimeAsync(5_001);
  expect(ledger.asked).toContain('FINE b');
  expect([...ledger.pending.keys()]).toEqual(['1']);
});

it('a book that cannot do it yet is asked until it has, and nothing is asked after that', async () => {
  const ledger = new Ledger();
  let tries = 0;
  ledger.answers.set('LATE', async () => ++tries > 5);
  ledger.add('1', 'a', 'LATE', 'FINE');
  ledger.cancellations.kickAtOnce();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ledger.pending.size).toBe(0);
  expect(tries).toBe(6);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ledger.asked).toHaveLength(7);
});

it('who asked for it is given a second first', async () => {
  const ledger = new Ledger();
  ledger.add('1', 'a', 'FINE');
  ledger.cancellations.kick();
  await vi.advanceTimersByTimeAsync(999);
  expect(ledger.asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ledger.asked).toEqual(['FINE a']);
});

it('who asks later is given a second, too', async () => {
  const ledger = new Ledger();
  ledger.add('1', 'a', 'FINE');
  ledger.cancellations.kick();
  await vi.advanceTimersByTimeAsync(900);
  ledger.add('2', 'b', 'FINE');
  ledger.cancellations.kick();
  await vi.advanceTimersByTimeAsync(100);
  expect(ledger.asked).toEqual(['FINE a']);
  await vi.advanceTimersByTimeAsync(900);
  expect(ledger.asked).toEqual(['FINE a', 'FINE b']);
});

it('what was done meanwhile is not asked for', async () => {
  const ledger = new Ledger();
  ledger.add('1', 'a', 'FINE');
  ledger.cancellations.kick();
  ledger.pending.clear();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ledger.asked).toEqual([]);
});

it('what is pending twice is seen to once', async () => {
  const ledger = new Ledger();
  ledger.answers.set('HUNG', never);
  ledger.add('1', 'a', 'HUNG');
  ledger.cancellations.kickAtOnce();
  ledger.cancellations.kickAtOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(ledger.asked).toEqual(['HUNG a']);
});
