import { describe, expect, it } from 'vitest';
import { configuredTenants, hostnameOf } from './tenant.ts';

const ACME = { name: 'Acme Bridge', mpcMode: 'native', chains: ['ethereum', 'solana'] };

describe('BRIDGE_TENANT_CONFIG', () => {
  it('gives tenants by hostname', () => {
    const tenants = configuredTenants(JSON.stringify({ 'Bridge.Acme.example': ACME }));
    expect([...tenants.values()]).toEqual([
      { hostname: 'bridge.acme.example', name: 'Acme Bridge', signingMode: 'native', chains: ['ethereum', 'solana'] },
    ]);
    expect(configuredTenants('').size).toBe(0);
  });

  it('has a most', () => {
    const tenants = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}.example`, ACME])));
    expect(configuredTenants(tenants(1_000)).size).toBe(1_000);
    expect(() => configuredTenants(tenants(1_001))).toThrow('more than 1000');
  });

  it.each([
    ['another mode', { 'a.example': { ...ACME, mpcMode: 'mine' } }, 'mpcMode'],
    ['an unknown chain', { 'a.example': { ...ACME, chains: ['moon'] } }, 'chains'],
    ['no name', { 'a.example': { mpcMode: 'native', chains: [] } }, 'name'],
    ['no hostname', { 'a example': ACME }, 'no hostname'],
    ['one hostname twice', { 'a.example': ACME, 'A.example.': ACME }, 'twice'],
  ])('is refused with %s, and says where', (_, config, part) => {
    expect(() => configuredTenants(JSON.stringify(config))).toThrow(part);
  });
});

describe('a hostname', () => {
  it('has one form', () => {
    expect(hostnameOf('Bridge.Example.')).toBe('bridge.example');
    for (const text of ['', '-a.example', 'a..example', 'a_b.example', `${'a'.repeat(64)}.example`, 'a.example:80'])
      expect(hostnameOf(text)).toBeNull();
  });
});
