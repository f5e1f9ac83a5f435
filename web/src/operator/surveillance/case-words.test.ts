import { describe, expect, test } from 'vitest';
import type { OperatorWords } from '../use-operator-words.ts';
import { actsOf, numberLabel, numberShown, relationLabel } from './case-words.ts';

describe('what may be done with a case', () => {
  test.each([
    ['open', null, ['note', 'take', 'close']],
    ['open', 'somebody else', ['note', 'take', 'close']],
    ['open', 'me', ['note', 'leave', 'close']],
    ['closed', 'me', ['note', 'reopen']],
  ] as const)('that is %s and looked into by %s', (state, assignee, acts) => {
    expect(actsOf({ state, assignee }, 'me')).toEqual(acts);
  });
});

test('numbers are shown by their unit', () => {
  const words = {
    price: (value: string) => `price ${value}`,
    exact: (value: string) => value,
    number: (value: string) => value,
    signed: (value: string) => `signed ${value}`,
    many: (stem: string, n: number) => `${stem} ${n}`,
  } as unknown as OperatorWords;
  const shown = (name: string, unit: 'price' | 'bps' | 'ms' | 'quantity' | 'count', value: string) =>
    numberShown({ name, unit, value }, words);
  expect(shown('close_price', 'price', '10.2')).toBe('price 10.2');
  expect(shown('share_of_day', 'bps', '6666')).toBe('66.66 %');
  expect(shown('price_move', 'bps', '-200')).toBe('signed -2 %');
  expect(shown('cancelled_within', 'ms', '10000')).toBe('surveillance_unit.seconds 10');
  expect(shown('window', 'ms', '600000')).toBe('surveillance_unit.minutes 10');
  expect(shown('quantity', 'quantity', '0.5')).toBe('0.5');
});

test('what this version does not know is named as the API names it', () => {
  const o = ((key: string) => `text of ${key}`) as OperatorWords['o'];
  expect(numberLabel('trades', o)).toBe('text of surveillance_number.trades');
  expect(numberLabel('odd_lots', o)).toBe('odd lots');
  const people = [
    { userId: 'ann', name: 'Ann' },
    { userId: 'bob', name: null },
  ];
  const label = (relation: string, relationOf: string | null) => relationLabel({ relation, relationOf, people }, o);
  expect(label('spouse', null)).toBe('text of surveillance_relation.spouse');
  expect(label('second_cousin', null)).toBe('second cousin');
  // Of two people it is told who is what to whom.
  expect(label('parent', 'bob')).toBe('text of surveillance.relation_of');
});
