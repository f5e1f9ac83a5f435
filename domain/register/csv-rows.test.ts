import { describe, expect, test } from 'vitest';
import { csvRows } from './csv-rows.ts';

const HEAD = 'holder_reference,holder_name,shares';
const ROW = { holder_reference: 'H-1', holder_name: 'Ada', shares: '250' };

describe('R-15: a table that a spreadsheet has written', () => {
  test.each<[string, string]>([
    ['names of columns in capitals', 'Holder_Reference,HOLDER_NAME,Shares\nH-1,Ada,250\n'],
    ['spaces around the names', ' holder_reference , holder_name,shares \nH-1,Ada,250\n'],
    ['a byte order mark and ends of lines of its own', '\uFEFFholder_reference,holder_name,shares\r\nH-1,Ada,250\r\n'],
    ['columns without name and content', `${HEAD},,\nH-1,Ada,250,,\n`],
    ['rows without content', `${HEAD}\n,,\nH-1,Ada,250\n,,\n , ,\n`],
    ['rows that end before their empty cells', `${HEAD},country,legend\nH-1,Ada,250\n`],
    ['a reference that is kept from being a number', `${HEAD}\n"=""H-1""",Ada,250\n`],
    ['a line that says what divides its columns', `sep=,\r\n${HEAD}\r\nH-1,Ada,250`],
  ])('is read with %s', (_, csv) => {
    expect(csvRows(csv)).toMatchObject({ ok: true, value: [{ row: ROW }] });
  });

  test.each<[string, string, string]>([
    [
      'semicolons',
      'holder_reference;holder_name;shares\nH-1;Ada;250',
      'divided by commas, and those of this file by semicolons',
    ],
    ['semicolons and commas in cells', 'sep=;\nholder_reference;holder_name', 'by semicolons'],
    ['tabs', 'holder_reference\tholder_name\tshares', 'by tabs'],
    ['bars', 'holder_reference|holder_name|shares', 'by bars'],
    ['semicolons and quotations', '"holder_reference";"holder_name"\n"H-1";"Doe, Ada"', 'by semicolons'],
    ['semicolons and a comma', 'holder_reference;holder_name,shares\nH-1;Ada,250', 'by semicolons'],
    ['UTF-16', Array.from(`${HEAD}\n`, (letter) => `${letter}\0`).join(''), 'in UTF-8'],
    ['another column', `${HEAD},email\nH-1,Ada,250,x`, 'email is no column'],
    ['a column twice, in another case', `${HEAD},Shares\nH-1,Ada,250,250`, 'occurs twice'],
    ['a last row that may be cut off', `${HEAD}\n\nH-1,Ada`, 'row 1 (line 3) has 2 cells where there are 3 columns'],
    ['a cell too many', `${HEAD}\nH-1,Ada,1,2\n`, 'row 1 (line 2) has 4 cells where there are 3 columns'],
    [
      'something outside its columns',
      `${HEAD},\nH-1,Ada,250,\nH-2,Ben,1,x`,
      'row 2 (line 3) has something in column 4',
    ],
    ['an open quotation', `${HEAD}\n"H-1,Ada,250`, 'quotation'],
    ['no rows', HEAD, 'rows'],
    ['nothing', '', 'line of names'],
  ])('is refused with %s, and is told why', (_, csv, reason) => {
    const read = csvRows(csv);
    expect(read.ok ? '' : read.error).toContain(reason);
  });

  test('tells the line of each row: blank lines and lines inside a quotation count', () => {
    const read = csvRows(`${HEAD}\r\nH-1,"Ada\r\nof York",1\r\n\r\n\r\nH-2,Ben,x\rH-3,Cy,1`);
    expect(read.ok && read.value.map(({ line }) => line)).toEqual([2, 6, 7]);
  });
});
