import { expect, it } from 'vitest';
import { AddressWindows } from './address-windows.ts';
import { drawTogether } from './rate-windows.ts';

const hex = (number: number) => number.toString(16);

it('T-17: counts the /64, the /56 and the /48 of an IPv6 address, the wider ones with larger numbers', () => {
  const windows = new AddressWindows();
  const fits = (address: string, now = 0) =>
    drawTogether(now, 1, windows.of(address, 'public', now)).type === 'counted';
  const fitting = (addressOf: (at: number) => string, tries: number) =>
    Array.from({ length: tries }, (_, at) => fits(addressOf(at))).filter((fit) => fit).length;
  expect(fitting((at) => `2001:db8:1:100::${hex(at + 1)}`, 200)).toBe(100);
  expect(fitting((at) => `2001:db8:1:1${hex(1 + (at % 15)).padStart(2, '0')}::1`, 2_000)).toBe(400);
  expect(fitting((at) => `2001:db8:1:${hex(0x200 + at)}::1`, 10_000)).toBe(4_500);
  expect(fits('2001:db8:2::1')).toBe(true);
  expect(fits('2001:db8:1:100::1', 59_999)).toBe(false);
  expect(fits('2001:db8:1:100::1', 60_000)).toBe(true);
});

it('T-17: holds no more windows than a prefix may draw on', () => {
  const windows = new AddressWindows();
  for (let at = 0; at < 60_000; at++) drawTogether(at, 1, windows.of(`2001:db8:1:${hex(at)}::1`, 'public', at));
  expect(windows.size).toBeLessThan(12_000);
});
