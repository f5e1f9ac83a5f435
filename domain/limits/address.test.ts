import { describe, expect, it } from 'vitest';
import { isAddressAllowed, isAddressBlock, parseAddress, rateSubjectOf } from './address.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.7', [203, 0, 113, 7]],
    ['::ffff:203.0.113.7', [203, 0, 113, 7]],
    ['2001:db8::1', [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['::', new Array(16).fill(0)],
  ])('%s is read', (text, bytes) => {
    expect(Array.from(parseAddress(text)!)).toEqual(bytes);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1:2:3',
    '1::2::3',
    '12345::',
    ':::',
    '1:2:3:4:5:6:7:8:9',
    'localhost',
  ])('"%s" is none', (text) => {
    expect(parseAddress(text)).toBeNull();
  });
});

describe('an allowlist', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.7'], true],
    ['203.0.113.8', ['203.0.113.7'], false],
    ['10.1.255.1', ['10.1.0.0/16'], true],
    ['10.2.0.1', ['10.1.0.0/16'], false],
    ['192.0.2.130', ['192.0.2.128/25'], true],
    ['192.0.2.127', ['192.0.2.128/25'], false],
    ['2001:db8:1::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['::ffff:10.0.0.1', ['10.0.0.0/8'], true],
    ['10.0.0.1', ['::/0'], false],
    ['unreadable', ['0.0.0.0/0'], false],
  ])('%s against %j is %s', (address, blocks, allowed) => {
    expect(isAddressAllowed(address, blocks)).toBe(allowed);
  });

  it('refuses blocks that cannot be read', () => {
    expect(['10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', '2001:db8::/129', ''].some(isAddressBlock)).toBe(false);
  });
});

describe('whom a limit per address counts', () => {
  it('takes an IPv4 address as it is and the /64 of an IPv6 address', () => {
    expect(rateSubjectOf('203.0.113.7')).toBe('203.0.113.7');
    expect(rateSubjectOf('2001:db8:1:2:3::1')).toBe(rateSubjectOf('2001:db8:1:2:ffff::9'));
    expect(rateSubjectOf('2001:db8:1:2::1')).not.toBe(rateSubjectOf('2001:db8:1:3::1'));
  });
});
