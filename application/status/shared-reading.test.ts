import { describe, expect, it } from 'vitest';
import { SharedReading } from './shared-reading.ts';

const TIMES = { freshMs: 10_000, oldMsMax: 60_000, readingMsMax: 5_000 };

/** Reads that end when the test says so. */
function slowReads() {
  const shared = new SharedReading<string>(TIMES);
  const under: ((value: string) => void)[] = [];
  const make = () => new Promise<string>((resolve) => under.push(resolve));
  return { shared, under, ask: (now: number) => shared.read(now, make) };
}

async function read(at: number, value: string, { ask, under }: ReturnType<typeof slowReads>): Promise<void> {
  const asked = ask(at);
  expect(under.length).toBeGreaterThan(0);
  under.pop()?.(value);
  expect(await asked).toBe(value);
}

/** A read that nobody ends would hold its test: it fails instead. */
const HANGS_MS = 10_000;

describe('what is read for everybody', { timeout: HANGS_MS }, () => {
  it('is read once in ten seconds', async () => {
    const reads = slowReads();
    await read(0, 'first', reads);
    const again = reads.ask(9_999);
    expect(reads.under).toHaveLength(0);
    expect(await again).toBe('first');
    await read(10_000, 'second', reads);
  });

  it('is asked for once at a time: while one reads, the others are told the last answer', async () => {
    const reads = slowReads();
    await read(0, 'first', reads);
    const slow = reads.ask(20_000);
    const others = Array.from({ length: 50 }, (_, n) => reads.ask(20_001 + n));
    expect(reads.under).toHaveLength(1);
    expect(await Promise.all(others)).toEqual(Array.from({ length: 50 }, () => 'first'));
    reads.under.pop()?.('second');
    expect([await slow, await reads.ask(25_000)]).toEqual(['second', 'second']);
  });

  it('is never told older than a minute', async () => {
    const reads = slowReads();
    await read(0, 'first', reads);
    void reads.ask(59_000);
    expect(await reads.ask(59_999)).toBe('first');
    void reads.ask(60_000);
    expect(reads.under).toHaveLength(2);
  });

  it('is read again where a read was lost with its request, and after one that failed', async () => {
    const reads = slowReads();
    await read(0, 'first', reads);
    void reads.ask(20_000);
    void reads.ask(25_000);
    expect(reads.under).toHaveLength(2);
    const shared = new SharedReading<string>(TIMES);
    await expect(shared.read(0, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await shared.read(1, () => Promise.resolve('there'))).toBe('there');
  });

  it('is not what was read before it was forgotten', async () => {
    const reads = slowReads();
    const before = reads.ask(0);
    reads.shared.forget();
    reads.under.pop()?.('old');
    expect(await before).toBe('old');
    await read(1, 'new', reads);
  });

  it('keeps the newer of two that were read at once', async () => {
    const reads = slowReads();
    const older = reads.ask(0);
    await read(1, 'newer', reads);
    reads.under.pop()?.('older');
    await older;
    expect(await reads.ask(2)).toBe('newer');
  });
});
