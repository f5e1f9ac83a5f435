import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MemoryFile } from '../../../containers/validator/memory-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'memory-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a process knows what it has named by both committees: since when, and with how many strangers at last', () => {
  const path = join(folder, 'named.json');
  const memory = new MemoryFile(path);
  const [one, two, next] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];
  memory.keepNamed({ before: one, next, strangers: 4, at: 5 });
  memory.keepNamed({ before: two, next, strangers: 0, at: 7 });
  memory.keepNamed({ before: two, next, strangers: 1, at: 9 });
  for (const kept of [memory, new MemoryFile(path)]) {
    expect(kept.namedAfter(one)).toEqual([{ before: one, next, strangers: 4, at: 5 }]);
    expect(kept.namedAfter(two)).toEqual([{ before: two, next, strangers: 1, at: 7 }]);
    expect(kept.namedAfter(next)).toEqual([]);
  }
});
