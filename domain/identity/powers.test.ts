import { describe, expect, it } from 'vitest';
import { hasPowerOver, holdsPower, type Power } from './powers.ts';
import type { Role } from './principal.ts';

const EVERY: readonly Power[] = [
  'see_accounts',
  'manage_credentials',
  'audit_venue',
  'run_venue',
  'set_rate_limits',
  'rotate_signing_keys',
];

const TABLE: readonly (readonly [role: Role, owner: string, powers: readonly Power[]])[] = [
  ['operator', 'venue', EVERY],
  ['operator', 'lakeside', ['see_accounts']],
  ['access_manager', 'venue', ['see_accounts', 'manage_credentials']],
  ['access_manager', 'lakeside', ['see_accounts', 'manage_credentials']],
  ['auditor', 'venue', ['see_accounts', 'audit_venue']],
  ['auditor', 'lakeside', ['see_accounts']],
  ['trader', 'venue', []],
  ['trader', 'lakeside', []],
  ['event_admin', 'venue', []],
];

describe('the powers', () => {
  it.each(TABLE)('of the role %s at %s are no more and no less than these', (role, owner, powers) => {
    expect(EVERY.filter((power) => holdsPower({ roles: [role], owner }, power))).toEqual(powers);
  });

  it('reach the people of the holder’s organization, and everyone from the venue', () => {
    const over = (owner: string, organization: string) =>
      hasPowerOver({ roles: ['access_manager'], owner }, 'manage_credentials', organization);
    expect(over('lakeside', 'lakeside')).toBe(true);
    expect(over('venue', 'lakeside')).toBe(true);
    expect(over('lakeside', 'venue')).toBe(false);
    expect(over('lakeside', 'northwind')).toBe(false);
  });
});
