import { expect, it } from 'vitest';
import { csvRows } from '../../domain/register/csv-rows.ts';
import { checkImport } from '../../domain/register/import-rows.ts';
import { csvOf } from './csv.ts';

it('quotes what a comma, a quote or a line break would split, and disarms formulas', () => {
  const rows = [
    ['plain', 1.5, null],
    ['a,b', -2, 'say "no"'],
    ['two\nlines', 0, '=HYPERLINK("x")'],
  ];
  expect(csvOf(['name', 'number', 'note'], rows)).toBe(
    'name,number,note\r\nplain,1.5,\r\n"a,b",-2,"say ""no"""\r\n"two\nlines",0,"\'=HYPERLINK(""x"")"\r\n',
  );
});

it('quotes what another country divides cells by, and blanks at the edge', () => {
  expect(csvOf(['a'], [['x;=1+1'], ['x\ty'], ['x|y'], [' x'], ['x\u00a0'], ['x y']])).toBe(
    'a\r\n"x;\'=1+1"\r\n"x\ty"\r\n"x|y"\r\n" x"\r\n"x\u00a0"\r\nx y\r\n',
  );
});

it('writes a number so that no country reads another one', () => {
  expect(csvOf(['a'], [[12.345], [-1.25], [-12.345], [1.5e-8], [1_000]])).toBe(
    'a\r\n012.345\r\n-1.25\r\n-012.345\r\n0.000000015\r\n1000\r\n',
  );
});

it('is taken back by an import as it was', () => {
  const names = ['holder_reference', 'holder_name', 'shares', 'cost', 'legend'];
  const rows = [
    ['H-1', '=SUM(A1); -Lima', 12.345, 1.25, 'true'],
    ["'=H-2", 'Ada "the" Bo, Ltd|+', 1_000, 250, 'false'],
    ['@H-3', "O'Neil", 0.125, 99.5, 'true'],
  ] as const;
  const read = csvRows(csvOf(names, rows));
  expect(
    read.ok &&
      checkImport(
        read.value.map(({ row }) => row),
        { scale: 3, costScale: 2, now: 0 },
      ),
  ).toMatchObject({
    errors: [],
    rows: [
      { reference: 'H-1', name: '=SUM(A1); -Lima', shares: 12_345, cost: 125, legend: true },
      { reference: "'=H-2", name: 'Ada "the" Bo, Ltd|+', shares: 1_000_000, cost: 25_000, legend: false },
      { reference: '@H-3', name: "O'Neil", shares: 125, cost: 9_950, legend: true },
    ],
  });
});
