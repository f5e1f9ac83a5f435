import { expect, it } from 'vitest';
import { rateSubjectsOf } from './address.ts';
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

it('T-17: connections of IPv6 addresses are counted by each prefix, the wider ones with larger numbers', () => {
  const leases = new ConnectionLeases(CONNECTIONS_MAX);
  const from = (address: string) => leases.acquire(crypto.randomUUID(), 0, rateSubjectsOf(address));
  const taken = (addressOf: (at: number) => string) =>
    Array.from({ length: 300 }, (_, at) => from(addressOf(at))).filter((isTaken) => isTaken).length;
  expect(taken(() => '2001:db8:1:100::1')).toBe(5);
  expect(taken((at) => `2001:db8:1:${(0x101 + (at % 200)).toString(16)}::1`)).toBe(20);
  expect(taken((at) => `2001:db8:1:${(0x200 + (at % 240) * 256).toString(16)}::1`)).toBe(225);
  expect(from('2001:db8:2::1')).toBe(true);
});
