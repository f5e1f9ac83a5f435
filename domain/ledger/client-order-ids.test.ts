import { describe, expect, it } from 'vitest';
import { ClientOrderIds } from './client-order-ids.ts';
import { IdTable } from './id-table.ts';
import { Owners } from './owners.ts';

function clientOrderIds(generationMax: number, accounts = new IdTable('accounts'), owners = new Owners(accounts)) {
  const ids = new ClientOrderIds(accounts, owners);
  ids.goBy(generationMax, false);
  return ids;
}

/** By the rules of now: who has most gives room. */
function owned(endedMax: number) {
  const accounts = new IdTable('accounts');
  const owners = new Owners(accounts);
  const ids = clientOrderIds(endedMax / 2, accounts, owners);
  ids.goBy(endedMax / 2, true);
  /** Ended orders of an account, `<account>0` first. */
  const end = (account: string, count: number, from = 0) => {
    for (let n = from; n < from + count; n++) ids.add(account, `c${n}`, `${account}${n}`, false);
  };
  const known = (account: string, count: number) =>
    Array.from({ length: count }, (_, n) => n).filter((n) => ids.orderOf(account, `c${n}`) !== null);
  return { accounts, owners, ids, end, known };
}

/** What a checkpoint makes of it. */
function copyOf({ accounts, ids, owners: kept }: ReturnType<typeof owned>, endedMax: number): ClientOrderIds {
  const owners = new Owners(accounts);
  const copy = clientOrderIds(endedMax / 2, accounts, owners);
  copy.goBy(endedMax / 2, true);
  for (const { name, data } of kept.pieces()) expect(owners.load({ name, data: data.slice() })).toBe(true);
  owners.finish(JSON.parse(JSON.stringify(kept.rest())));
  for (const { name, data } of ids.pieces()) expect(copy.load({ name, data: data.slice() })).toBe(true);
  copy.finish(JSON.parse(JSON.stringify(ids.rest())));
  return copy;
}

describe('client order ids of ended orders', () => {
  it('of an account that has fewer than others stay, whatever others place', () => {
    const { end, known, ids } = owned(10);
    end('few', 3);
    end('many', 500);
    expect(known('few', 3)).toEqual([0, 1, 2]);
    expect(known('many', 500)).toEqual([493, 494, 495, 496, 497, 498, 499]);
    end('more', 500);
    expect(known('few', 3)).toEqual([0, 1, 2]);
    expect([...ids.entries()]).toHaveLength(10);
  });

  it('leave each of many accounts its part', () => {
    const { end, known } = owned(20);
    const accounts = ['a', 'b', 'c', 'd', 'e'];
    for (const account of accounts) end(account, 50);
    for (const account of accounts) expect(known(account, 50).at(-1)).toBe(49);
    expect(accounts.map((account) => known(account, 50).length)).toEqual([4, 4, 4, 4, 4]);
  });

  it('of all investors of a partner count together, and among those the account with most gives room', () => {
    const { owners, end, known, accounts } = owned(20);
    for (let n = 0; n < 30; n++) {
      accounts.intern(`p${n}`);
      owners.learn(`p${n}`, { investor: `investor${n}`, partner: 'partner' });
    }
    end('few', 10);
    end('p0', 2);
    for (let n = 1; n < 30; n++) end(`p${n}`, 4);
    expect(known('few', 10)).toHaveLength(10);
    const ofPartner = Array.from({ length: 30 }, (_, n) => known(`p${n}`, 4).length);
    expect(ofPartner.reduce((sum, count) => sum + count)).toBe(10);
  });

  it('of an account that turns out to be an investor’s count for the partner from then on', () => {
    const { owners, end, known } = owned(12);
    end('few', 5);
    end('p0', 3);
    end('p1', 3);
    owners.learn('p0', { investor: 'investor', partner: 'partner' });
    owners.learn('p1', { investor: 'investor', partner: 'partner' });
    end('few', 1, 5);
    end('few', 1, 6);
    expect(known('few', 7)).toHaveLength(6);
    end('p1', 1, 3);
    expect(known('few', 7)).toHaveLength(6);
    expect([known('p0', 3), known('p1', 4)].flat()).toHaveLength(6);
  });

  it('come beside those of open orders, however many those are', () => {
    const { ids, end, known } = owned(4);
    for (let n = 0; n < 50; n++) ids.add('a', `open${n}`, `open${n}`, true);
    end('a', 6);
    for (let n = 0; n < 50; n++) expect(ids.orderOf('a', `open${n}`)).toBe(`open${n}`);
    expect(known('a', 6)).toEqual([2, 3, 4, 5]);
    ids.ended('open7', false);
    expect(ids.orderOf('a', 'open7')).toBe('open7');
    expect(known('a', 6)).toEqual([3, 4, 5]);
    ids.ended('open8', true);
    expect(ids.orderOf('a', 'open8')).toBeNull();
    expect(known('a', 6)).toEqual([3, 4, 5]);
  });

  it('are the same after a restart, down to who gives room next', () => {
    const before = owned(12);
    const { ids, owners, accounts, end } = before;
    for (const account of ['p0', 'p1', 'p2']) {
      accounts.intern(account);
      owners.learn(account, { investor: 'investor', partner: 'partner' });
    }
    for (const account of ['a', 'p0', 'b', 'p1', 'a', 'p2'])
      end(account, 3, ids.orderOf(account, 'c2') === null ? 0 : 3);
    const copy = copyOf(before, 12);
    expect([...copy.endedPlaces()].sort((x, y) => x.order - y.order)).toEqual(
      [...ids.endedPlaces()].sort((x, y) => x.order - y.order),
    );
    for (const each of [ids, copy])
      for (let n = 10; n < 20; n++)
        for (const account of ['b', 'p1', 'c', 'a']) each.add(account, `c${n}`, `${account}${n}`, false);
    const said = (each: ClientOrderIds) => [...each.entries()].map(({ order }) => order).sort();
    expect(said(copy)).toEqual(said(ids));
  });

  it('go on when the rules change, there and back', () => {
    const accounts = new IdTable('accounts');
    const ids = clientOrderIds(4, accounts);
    ids.add('a', 'open', 'open', true);
    for (let n = 0; n < 6; n++) ids.add('a', `c${n}`, `o${n}`, false);
    ids.add('b', 'c', 'b', false);
    ids.goBy(4, true);
    const known = () => ['open', 'c0', 'c5'].map((id) => ids.orderOf('a', id) !== null);
    expect([...known(), ids.orderOf('b', 'c')]).toEqual([true, true, true, 'b']);
    for (const n of [6, 7]) ids.add('a', `c${n}`, `o${n}`, false);
    expect([...known(), ids.orderOf('b', 'c')]).toEqual([true, false, true, 'b']);
    ids.goBy(4, false);
    for (let n = 8; n < 20; n++) ids.add('c', `c${n}`, `c${n}`, false);
    expect([...known(), ids.orderOf('b', 'c')]).toEqual([true, false, false, null]);
  });
});

describe('client order ids by the rules of before', () => {
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
