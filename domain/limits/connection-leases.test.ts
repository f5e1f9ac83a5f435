import { expect, it } from 'vitest';
import { CONNECTIONS_MAX, ConnectionLeases } from './connection-leases.ts';

it('five connections are held at once; a sixth waits for one to be released', () => {
  const leases = new ConnectionLeases(CONNECTIONS_MAX);
  const taken = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => leases.acquire(id, 0));
  expect(taken).toEqual([true, true, true, true, true, false]);
  leases.release('c');
  expect(leases.acquire('f', 1)).toBe(true);
});

it('a connection that renews keeps its place, one that was lost gives it up', () => {
  const leases = new ConnectionLeases(CONNECTIONS_MAX);
  for (const id of ['a', 'b', 'c', 'd', 'e']) leases.acquire(id, 0);
  expect(leases.acquire('a', 40_000)).toBe(true);
  expect(leases.acquire('f', 59_999)).toBe(false);
  expect(leases.acquire('f', 60_000)).toBe(true);
  for (const id of ['g', 'h', 'i']) expect(leases.acquire(id, 60_000)).toBe(true);
  expect(leases.acquire('j', 60_000)).toBe(false);
});
