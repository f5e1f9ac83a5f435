import { describe, expect, it } from 'vitest';
import type { Field, FixMessage } from '../codec/fix-message.ts';
import { FIELDS, type Group, MESSAGES } from '../dictionary/dictionary.ts';
import { refusedField } from './refused-field.ts';

const SYMBOL = 'ACME-USD';

/** Values of fields that are taken with some values alone: one that is, and one that is not. */
const CHOSEN: Readonly<Record<number, readonly [taken: string, refused: string]>> = {
  15: ['USD', 'EUR'],
  18: ['6', 'G'],
  21: ['1', '3'],
  22: ['8', '1'],
  48: [SYMBOL, 'OTHER'],
  63: ['0', '3'],
  81: ['0', '1'],
  114: ['N', 'Y'],
  120: ['USD', 'EUR'],
  121: ['N', 'Y'],
  263: ['0', '1'],
  266: ['Y', 'N'],
  423: ['2', '1'],
  427: ['0', '1'],
  452: ['3', '4'],
  544: ['1', '2'],
  547: ['N', 'Y'],
  775: ['0', '1'],
  815: ['0', '1'],
  854: ['0', '1'],
};

const TARGET = [11, 37, 41];
const INSTRUMENT = [22, 48, 55, 106, 107, 348, 349, 350, 351];
const PARTIES = [1, 447, 448, 452, 453, 523, 660, 802, 803];
const TEXTS = [58, 354, 355];
const TERMS = [
  ...[11, 15, 18, 21, 38, 40, 44, 54, 59, 60, 63, 81, 99, 111, 114, 120, 121, 126, 376, 377, 423, 427, 526, 528, 544],
  ...[581, 582, 583, 775, 854],
  ...INSTRUMENT,
  ...PARTIES,
  ...TEXTS,
];

/** All that each request may say; the rest of the dictionary is refused. */
const TAKEN: Readonly<Record<string, readonly number[]>> = {
  D: TERMS,
  G: [...TERMS.filter((tag) => tag !== 81), ...TARGET],
  F: [...TARGET, 38, 54, 60, 376, 526, 581, 583, ...INSTRUMENT, ...PARTIES, ...TEXTS],
  q: [11, 54, 60, 526, 530, ...INSTRUMENT, ...TEXTS],
  H: [11, 37, 54, 526, 583, 790, ...INSTRUMENT, ...PARTIES],
  V: [55, 146, 262, 263, 264, 265, 266, 267, 269, 547, 815],
  x: [320, 559, 263, ...INSTRUMENT, ...TEXTS],
};
/** Fields that a request is taken with whatever they say, though other requests take them with some values alone. */
const FREE: Readonly<Record<string, readonly number[]>> = { V: [263], q: [], x: [] };

/** Every tag of a request's body, those of its groups included. */
function tagsOf(type: string): number[] {
  const layout = MESSAGES.get(type);
  if (layout === undefined) throw new Error(`${type} is no message`);
  const inGroups = (groups: ReadonlyMap<number, Group>): number[] =>
    [...groups.values()].flatMap((group) => [...group.positions.keys(), ...inGroups(group.groups)]);
  return [...new Set([...layout.members, ...inGroups(layout.groups)])];
}

function messageWith(type: string, field: Field): FixMessage {
  const symbol: Field[] = field[0] === 55 ? [] : [[55, SYMBOL]];
  return { fields: [[8, 'FIX.4.4'], [9, '0'], [35, type], [34, '2'], ...symbol, field], text: '' };
}

/** A value that the dictionary allows. */
function anyValue(tag: number): string {
  if (tag === 55) return SYMBOL;
  return [...(FIELDS.get(tag)?.values ?? ['1'])][0] ?? '1';
}

describe.each(Object.entries(TAKEN))('a request of MsgType %s', (type, taken) => {
  const valuesOf = (tag: number) => (FREE[type]?.includes(tag) ? undefined : CHOSEN[tag]);

  it('is taken with the fields that are done or harmless, and refused with every other of the dictionary', () => {
    const passed = tagsOf(type).filter(
      (tag) => refusedField(messageWith(type, [tag, valuesOf(tag)?.[0] ?? anyValue(tag)])) === null,
    );
    expect(passed.toSorted((a, b) => a - b)).toEqual([...new Set(taken)].toSorted((a, b) => a - b));
  });

  it('is refused with the name, tag and value of what is not offered', () => {
    for (const tag of tagsOf(type)) {
      const value = taken.includes(tag) ? valuesOf(tag)?.[1] : anyValue(tag);
      if (value === undefined) continue;
      const name = FIELDS.get(tag)?.name;
      expect(refusedField(messageWith(type, [tag, value]))).toEqual({
        tag,
        text: `${name}(${tag})=${value} is not offered`,
      });
    }
  });
});

describe('a field that is refused', () => {
  it('is none where it is a group without entries', () => {
    expect(refusedField(messageWith('D', [386, '0']))).toBeNull();
    expect(refusedField(messageWith('D', [386, '1']))).not.toBeNull();
  });

  it('is a Side of a mass cancel that is neither bought nor sold', () => {
    expect(['1', '2', '5'].map((side) => refusedField(messageWith('q', [54, side]))?.text ?? null)).toEqual([
      null,
      null,
      'Side(54)=5 is not offered',
    ]);
  });

  it.each([
    ['10', true],
    ['007.500', true],
    ['.5', true],
    ['10.', true],
    ['0.00000001', true],
    ['-0.0000000', true],
    ['123456789.12345678', true],
    ['1.00000000000000001', false],
    ['9007199254740993', false],
    ['0.12345678901234567', false],
    [`0.${'0'.repeat(400)}1`, false],
    ['9'.repeat(400), false],
  ])('is a term with more digits than are counted: it is not rounded (%s)', (value, isTaken) => {
    for (const type of ['D', 'G'])
      for (const tag of [38, 44, 99, 111]) expect(refusedField(messageWith(type, [tag, value])) === null).toBe(isTaken);
    expect(refusedField(messageWith('D', [44, value]))?.text ?? 'more digits').toContain('more digits');
    // A cancel ends its order whatever quantity it names.
    expect(refusedField(messageWith('F', [38, value]))).toBeNull();
  });
});
