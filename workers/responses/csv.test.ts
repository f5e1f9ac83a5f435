import { expect, it } from 'vitest';
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
