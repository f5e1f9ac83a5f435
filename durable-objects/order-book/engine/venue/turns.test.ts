import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

function turnsOf(...ids: string[]): Turns {
  const turns = new Turns();
  for (const id of ids) turns.add(id);
  return turns;
}

test('each call goes on where the last one ended, and begins anew behind the last', () => {
  const turns = turnsOf('a', 'b', 'c');
  expect(turns.next(2)).toEqual(['a', 'b']);
  expect(turns.next(2)).toEqual(['c', 'a']);
  expect(turns.next(5)).toEqual(['b', 'c', 'a']);
});

test('what leaves is passed over, and what comes has its turn after the others', () => {
  const turns = turnsOf('a', 'b', 'c');
  expect(turns.next(1)).toEqual(['a']);
  turns.delete('b');
  turns.add('d');
  expect(turns.next(3)).toEqual(['c', 'd', 'a']);
  for (const id of ['a', 'c', 'd']) turns.delete(id);
  expect(turns.next(3)).toEqual([]);
});

test('only those that are meant come, and the others have had their turn', () => {
  const turns = turnsOf('a', 'b', 'c', 'd');
  const isMeant = (id: string) => id !== 'a' && id !== 'c';
  expect(turns.next(1, isMeant)).toEqual(['b']);
  expect(turns.next(2, isMeant)).toEqual(['d', 'b']);
  expect(turns.next(2)).toEqual(['c', 'd']);
});
