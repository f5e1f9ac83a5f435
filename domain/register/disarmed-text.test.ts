import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { armed, disarmed } from './disarmed-text.ts';

describe('X-03: a text that a spreadsheet would take for a formula', () => {
  it.each([
    ['=1', "'=1"],
    [' =1', "' =1"],
    ['\u00a0+1', "'\u00a0+1"],
    ['\u3000＝1', "'\u3000＝1"],
    ['\u200b@x', "'\u200b@x"],
    ['\tx', "'\tx"],
    ['x;=1+1', "x;'=1+1"],
    ['x\t =1', "x\t '=1"],
    ['x|-1', "x|'-1"],
    ['x\n@y;+z', "x\n'@y;'+z"],
    ["'=1", "''=1"],
    ["x;'=1", "x;''=1"],
  ])('%j has an apostrophe before it: %j', (text, safe) => {
    expect(disarmed(text)).toBe(safe);
  });

  it.each(['', 'Ada; Bo', 'a-b', 'a=b', 'a; b=c', "O'Neil", "'t Hart", 'x;', 'Doe, -Jones'])('%j stays', (text) => {
    expect([disarmed(text), armed(text)]).toEqual([text, text]);
  });

  it('comes back the same, and has no sign at the beginning of a cell or behind a divider', () => {
    const unit = fc.constantFrom(...["'", ';', '|', '\t', '\n', ' ', '\u00a0', '=', '-', '＠', 'x', ',']);
    const check = (text: string) => {
      const safe = disarmed(text);
      expect(armed(safe)).toBe(text);
      for (const cell of safe.split(/[;|\t\r\n]/)) expect(cell).not.toMatch(/^[\s\u00a0]*[=+\-@＝＋－＠]/);
    };
    fc.assert(fc.property(fc.string({ unit, maxLength: 12 }), check), { numRuns: 2_000, seed: 7 });
  });

  it('costs no more than its length', () => {
    for (const one of ["'", ' ', ';', "; '", '\t']) expect(disarmed(one.repeat(200_000))).toBeTypeOf('string');
  });
});
