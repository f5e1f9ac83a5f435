import { describe, expect, it } from 'vitest';
import { parseCsv } from './parse-csv.ts';

describe('CSV', () => {
  it.each<[string, string, string[][] | null]>([
    [
      'rows and cells',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['an end of a line of its own kind, and none at the end', 'a\n1\r2', [['a'], ['1'], ['2']]],
    ['quotations with commas, lines and quotation marks', '"a,\n""b""",c', [['a,\n"b"', 'c']]],
    [
      'cells of nothing',
      ',\n,,x',
      [
        ['', ''],
        ['', '', 'x'],
      ],
    ],
    ['a cell of nothing at the end', 'a,', [['a', '']]],
    ['no rows of empty lines', '\n\na\n\n', [['a']]],
    ['a byte order mark', '\uFEFFa', [['a']]],
    ['nothing', '', []],
    ['a quotation that does not end', 'a,"b', null],
    ['a quotation that goes on', '"a"b', null],
  ])('%s', (_, text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });
});
