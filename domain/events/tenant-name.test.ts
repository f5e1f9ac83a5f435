import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { organizationOf, tenantName } from './tenant-name.ts';

/** Names that try to be another pair's: the sign that parts the two, and what stands for it. */
const name = fc
  .array(fc.constantFrom('a', 'b', '/', '%', '2F', '25'), { minLength: 1, maxLength: 5 })
  .map((of) => of.join(''));

describe('I-14: two organizations have no tenant in common', () => {
  it.each([
    ['acme', 'acme', 'acme'],
    ['acme', 'eu', 'acme/eu'],
    ['acme/eu', 'acme/eu', 'acme%2Feu'],
    ['acme%2Feu', 'acme%2Feu', 'acme%252Feu'],
  ])('%s with the tenant %s is %s', (organization, tenant, expected) => {
    expect(tenantName(organization, tenant)).toBe(expected);
    expect(organizationOf(expected)).toBe(organization);
  });

  it('whatever is in their names: equal tenants are equal pairs', () => {
    fc.assert(
      fc.property(name, name, name, name, (owner, claimed, otherOwner, otherClaimed) => {
        const isOne = owner === otherOwner && claimed === otherClaimed;
        expect(tenantName(owner, claimed) === tenantName(otherOwner, otherClaimed)).toBe(isOne);
        expect(organizationOf(tenantName(owner, claimed))).toBe(owner);
      }),
      { numRuns: 2_000 },
    );
  });
});
