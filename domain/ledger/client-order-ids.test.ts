import { describe, expect, it } from 'vitest';
import { ClientOrderIds } from './client-order-ids.ts';
import { IdTable } from './id-table.ts';

function clientOrderIds(generationMax: number, accounts = new IdTable('accounts')): ClientOrderIds {
  return new ClientOrderIds(generationMax, accounts);
}

describe('client order ids', () => {
  it('are forgotten a generation after the next has begun', () => {
    const ids = clientOrderIds(2);
    for (const n of [1, 2, 3, 4]) ids.add('a', `c${n}`, `o${n}`, false);
    expect(ids.orderOf('a', 'c1')).toBe('o1');
    ids.add('a', 'c5', 'o5', false);
    expect([1, 2, 3, 4, 5].map((n) => ids.orderOf('a', `c${n}`))).toEqual([null, null, 'o3', 'o4', 'o5']);
  });

  it('are kept across any number of generations while their order is open, and forgotten after that', () => {
    const ids = clientOrderIds(2);
    ids.add('a', 'kept', 'open', true);
    for (let n = 0; n < 20; n++) ids.add('a', `c${n}`, `o${n}`, false);
    expect(ids.orderOf('a', 'kept')).toBe('open');
    ids.ended('open', false);
    expect(ids.orderOf('a', 'kept')).toBe('open');
    for (let n = 20; n < 26; n++) ids.add('a', `c${n}`, `o${n}`, false);
    expect(ids.orderOf('a', 'kept')).toBeNull();
  });

  it('of more open orders than a generation holds leave room for the latest others', () => {
    const ids = clientOrderIds(10);
    for (let n = 0; n < 50; n++) ids.add('a', `open${n}`, `open${n}`, true);
    for (let n = 0; n < 10; n++) ids.add('a', `c${n}`, `o${n}`, false);
    for (let n = 0; n < 50; n++) expect(ids.orderOf('a', `open${n}`)).toBe(`open${n}`);
    for (let n = 0; n < 10; n++) expect(ids.orderOf('a', `c${n}`)).toBe(`o${n}`);
  });

  it('are free at once when their order was released', () => {
    const ids = clientOrderIds(2);
    ids.add('a', 'c', 'first', true);
    ids.ended('first', true);
    expect(ids.orderOf('a', 'c')).toBeNull();
    ids.add('a', 'c', 'second', true);
    ids.ended('first', true);
    expect(ids.orderOf('a', 'c')).toBe('second');
    // In the older generation, too.
    for (const n of [1, 2]) ids.add('a', `c${n}`, `o${n}`, false);
    ids.ended('second', true);
    expect(ids.orderOf('a', 'c')).toBeNull();
  });

  it('are the same after a restart, down to when they will be forgotten', () => {
    const accounts = new IdTable('accounts');
    const ids = clientOrderIds(3, accounts);
    ids.add('a', 'open', 'open', true);
    for (const n of [1, 2, 3, 4]) ids.add('a', `c${n}`, `o${n}`, false);
    const copy = clientOrderIds(3, accounts);
    for (const { name, data } of ids.pieces()) expect(copy.load({ name, data: data.slice() })).toBe(true);
    copy.finish(JSON.parse(JSON.stringify(ids.rest())));
    for (const each of [ids, copy]) for (const n of [5, 6, 7, 8]) each.add('a', `c${n}`, `o${n}`, false);
    expect([...copy.entries()]).toEqual([...ids.entries()]);
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) expect(copy.orderOf('a', `c${n}`)).toBe(ids.orderOf('a', `c${n}`));
    expect(copy.orderOf('a', 'open')).toBe('open');
  });
});
