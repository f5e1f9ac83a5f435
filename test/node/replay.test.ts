import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BookFile } from '../../scripts/replay/lobster/book-file.ts';
import { parseMessages } from '../../scripts/replay/lobster/message.ts';
import { planReplay } from '../../scripts/replay/lobster/plan-replay.ts';
import { rowDifference } from '../../scripts/replay/lobster/row-difference.ts';
import { RecordingWriter } from '../../scripts/replay/recording-writer.ts';
import { replayRecording } from '../../scripts/replay/replay-recording.ts';
import { replayThroughEngine } from '../../scripts/replay/replay-through-engine.ts';
import { type LobsterFiles, lobsterMarket } from './fixtures/lobster-market.ts';

const SAMPLE = join('..', 'shared', 'data', 'lobster');
const SAMPLE_FILES = ['message', 'orderbook'].map((kind) => join(SAMPLE, `AAPL_2012-06-21_${kind}_50.csv`));
const hasSample = SAMPLE_FILES.every((file) => existsSync(file));
if (!hasSample) console.log(`skipped: the LOBSTER sample is not in ${SAMPLE}`);

const folder = mkdtempSync(join(tmpdir(), 'replay-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function replay({ messages, book }: LobsterFiles, options: { record?: string } = {}) {
  const file = new BookFile(book);
  const parsed = parseMessages(messages);
  const outcome = replayThroughEngine({
    plan: planReplay(parsed, file),
    book: file,
    levels: file.levels,
    recording: options.record === undefined ? null : new RecordingWriter(options.record),
    progress: () => undefined,
  });
  return { ...outcome, executions: parsed.filter(({ type }) => type === 4).length };
}

describe('replay of a LOBSTER file through the engine', () => {
  it.skipIf(!hasSample)('gives the book of the sample after every message and hits every named maker', () => {
    const [messages = '', book = ''] = SAMPLE_FILES.map((file) => readFileSync(file, 'utf8'));
    expect(replay({ messages, book })).toMatchObject({
      rowsCompared: 672,
      rowsThatDiffer: 0,
      executions: 56,
      executionsThatHit: 56,
    });
  });

  it.each([
    { levels: 1, spread: 10 },
    { levels: 2, spread: 20 },
    { levels: 5, spread: 60 },
    { levels: 10, spread: 30 },
  ])('finds what happened out of the view of $levels levels: orders that come, shrink and go unseen', (view) => {
    for (let seed = 1; seed <= 5; seed++) {
      const outcome = replay(lobsterMarket({ seed, events: 600, before: 200, tick: 100, ...view }));
      expect(outcome).toMatchObject({ rowsThatDiffer: 0, firstDifference: null });
      expect(outcome.executions).toBeGreaterThan(100);
      expect(outcome.executionsThatHit).toBe(outcome.executions);
    }
  });

  it('compares only as many levels as asked for', () => {
    const expected = { bids: [[99, 5] as const], asks: [[101, 5] as const, [102, 7] as const] };
    const found = { bids: [[99, 5] as const], asks: [[101, 5] as const, [102, 8] as const] };
    expect(rowDifference(expected, found, 1)).toBeNull();
    expect(rowDifference(expected, found, 2)).toEqual({ side: 'ask', level: 2, expected: [102, 7], found: [102, 8] });
  });

  it('tells the first row that differs, and where', () => {
    const files = lobsterMarket({ seed: 4, events: 300, before: 200, tick: 100, levels: 5, spread: 20 });
    const book = edited(files.book, 150, (row) => row.with(1, 7_777));
    const { rowsThatDiffer, firstDifference } = replay({ ...files, book });
    expect(rowsThatDiffer).toBe(1);
    expect(firstDifference).toMatchObject({
      step: 150,
      difference: { side: 'ask', level: 1, expected: [expect.any(Number), 7_777] },
    });
  });

  it('counts an execution that took another order than the file names', () => {
    const level = '10010000,50,10000000,';
    const files = {
      messages: [
        '1.0,1,7,10,10000000,1',
        '2.0,1,8,10,10000000,1',
        '3.0,4,8,10,10000000,1',
        '4.0,3,7,10,10000000,1',
      ].join('\n'),
      book: [`${level}10`, `${level}20`, `${level}10`, '10010000,50,-9999999999,0'].join('\n'),
    };
    expect(replay(files)).toMatchObject({ rowsThatDiffer: 0, executions: 1, executionsThatHit: 0, firstMiss: 2 });
  });

  it('refuses files that are not of one length', () => {
    const files = lobsterMarket({ seed: 5, events: 50, before: 50, tick: 100, levels: 2, spread: 20 });
    expect(() => replay({ ...files, messages: files.messages.slice(0, files.messages.lastIndexOf('\n')) })).toThrow(
      /rows of the book/,
    );
  });
});

describe('a recording', () => {
  const recording = join(folder, 'engine.jsonl');
  const files = lobsterMarket({ seed: 6, events: 400, before: 200, tick: 100, levels: 3, spread: 20 });

  it('replays to the state hash of the run that wrote it', async () => {
    replay(files, { record: recording });
    const { recorded, replayed, commands } = await replayRecording(recording);
    expect(replayed).toBe(recorded);
    expect(commands).toBeGreaterThan(300);
  });

  it('replays to another state hash when a command is missing', async () => {
    replay(files, { record: recording });
    const lines = readFileSync(recording, 'utf8').split('\n');
    const shorter = join(folder, 'shorter.jsonl');
    writeFileSync(shorter, lines.toSpliced(40, 1).join('\n'));
    const { recorded, replayed } = await replayRecording(shorter);
    expect(replayed).not.toBe(recorded);
  });

  it('without an end is refused', async () => {
    replay(files, { record: recording });
    const cut = join(folder, 'cut.jsonl');
    writeFileSync(cut, readFileSync(recording, 'utf8').split('\n').slice(0, 40).join('\n'));
    await expect(replayRecording(cut)).rejects.toThrow(/without a state hash/);
  });
});

function edited(book: string, at: number, edit: (row: (string | number)[]) => (string | number)[]): string {
  return book
    .split('\n')
    .map((line, index) => (index === at ? edit(line.split(',')).join() : line))
    .join('\n');
}
