import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookChecksum, type WireLevel } from '../../protocol/feeds/checksum.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLIENT = join(ROOT, 'clients', 'feed', 'checksum.py');

/** Rows of the page: bids, asks, what the checksum is over, and the checksum. */
const ROW = /^\| `(\[.*?\])` \| `(\[.*?\])` \| `([^`]*)` \| (\d+) \|$/gm;
const vectors = [...readFileSync(join(ROOT, 'docs/feeds.md'), 'utf8').matchAll(ROW)].map(
  ([, bids = '', asks = '', text = '', checksum]) => ({
    bids,
    asks,
    text: text.replaceAll('&#124;', '|'),
    checksum: Number(checksum),
  }),
);

describe('X-07: the checksums of the page', () => {
  it('are those of TypeScript, with an exponent on each side of the switch', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(5);
    expect(vectors.some(({ text }) => text.includes('e-7'))).toBe(true);
    expect(vectors.some(({ text }) => text.includes('0.0000017'))).toBe(true);
    for (const { bids, asks, checksum } of vectors)
      expect(bookChecksum(JSON.parse(bids) as WireLevel[], JSON.parse(asks) as WireLevel[])).toBe(checksum);
  });

  it('are those of Python, over the digits of the message', () => {
    const lines = vectors.map(({ bids, asks, checksum }) => `{"bids":${bids},"asks":${asks},"checksum":${checksum}}\n`);
    const printed = execFileSync('python3', [CLIENT], { input: lines.join(''), encoding: 'utf8' });
    expect(printed.trimEnd().split('\n')).toEqual(vectors.map(({ text }) => `${text} right`));
  });

  it('are over digits that Python writes alike from a float, for any number that a level has', () => {
    const numbers = fc.sample(
      fc.oneof(
        fc.double({ min: 1e-12, max: 1e22, noNaN: true }),
        fc.integer({ min: 1, max: 2 ** 31 }).map((units) => units / 1e10),
        fc.integer({ min: 1, max: 2 ** 31 }).map((units) => units / 100),
      ),
      { numRuns: 2_000, seed: 7 },
    );
    const program =
      'import sys,json; sys.path.insert(0, sys.argv[1]); import checksum\nfor line in sys.stdin: print(checksum.number_text(float(line)))';
    const input = numbers.map((number) => `${number}\n`).join('');
    const printed = execFileSync('python3', ['-B', '-c', program, join(ROOT, 'clients', 'feed')], {
      input,
      encoding: 'utf8',
    });
    expect(printed.trimEnd().split('\n')).toEqual(numbers.map(String));
  });
});
