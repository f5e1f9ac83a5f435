import { describe, expect, it } from 'vitest';
import {
  type EntityStatement,
  isActedForBy,
  isAnotherEntity,
  maskedEntity,
  missingOfEntity,
  missingParties,
  NO_ENTITY,
  NOTHING_STATED_OF_PARTY,
  type Party,
  problemOfEntity,
  problemOfParties,
  problemsOfParty,
  tidiedOfEntity,
  tidiedParty,
  withParty,
} from './entity-facts.ts';

const TERMS = { served: ['US', 'DE'], now: Date.parse('2026-06-15T12:00:00Z') };

const person = {
  ...NOTHING_STATED_OF_PARTY,
  legalName: 'Ann O’Neill',
  birthDate: '1990-05-17',
  country: 'US',
  street: '1 Main Street',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62701',
  taxId: '078051120',
  title: 'Managing director',
};

const ann: Party = { id: '1', roles: ['owner', 'control', 'authorised'], facts: person, shareBps: 6_000 };
const ben: Party = { id: '2', roles: ['owner'], facts: { ...person, legalName: 'Ben Kerr' }, shareBps: 4_000 };

const whole: EntityStatement = {
  facts: {
    legalName: '3M & Partners LLC',
    form: 'company',
    formationCountry: 'US',
    formationRegion: 'Delaware',
    registrationNumber: 'DE-7654321',
    country: 'US',
    street: '2 Market Street',
    postalCode: '19801',
    city: 'Wilmington',
    region: 'DE',
    taxId: '121234567',
    activity: 'Invests the savings of two founders.',
    sourceOfFunds: 'Sale of a former company in 2024.',
  },
  nobodyOwns: false,
  parties: [ann, ben],
};

describe('what is stated of an entity', () => {
  it('is whole once nothing is missing', () => {
    expect([missingOfEntity(whole, TERMS), missingParties(whole, TERMS)]).toEqual([[], []]);
    expect(missingParties(NO_ENTITY, TERMS)).toEqual(['owner', 'control', 'authorised']);
    expect(missingOfEntity(NO_ENTITY, TERMS)).toContain('sourceOfFunds');
  });

  it.each([
    ['form', 'club', 'malformed'],
    ['formationCountry', 'FR', 'country_not_served'],
    ['formationCountry', 'IR', 'country_sanctioned'],
    ['country', 'KP', 'country_sanctioned'],
    ['formationRegion', '', 'malformed'],
    ['registrationNumber', '<b>', 'malformed'],
    ['taxId', '001234567', 'tax_id_malformed'],
    ['taxId', '12123456', 'tax_id_malformed'],
    ['activity', 'trade', 'malformed'],
    ['sourceOfFunds', 'x'.repeat(501), 'malformed'],
  ] as const)('takes no %s such as %j', (name, value, problem) => {
    const facts = { ...whole.facts, [name]: tidiedOfEntity(name, value) };
    expect(problemOfEntity(name, facts, TERMS)).toBe(problem);
  });

  it('is shown without names and numbers, and with who owns how much', () => {
    const masked = maskedEntity(whole);
    expect(JSON.stringify(masked)).not.toMatch(
      /Partners|Neill|Kerr|Main Street|Market Street|078051120|121234567|05-17/,
    );
    expect(masked.parties.map(({ shareBps }) => shareBps)).toEqual([6_000, 4_000]);
    expect(masked.facts).toMatchObject({ form: 'company', taxId: '•••4567', registrationNumber: '•••4321' });
  });
});

describe('a party', () => {
  const problemsOf = (change: Partial<Party>, facts: Partial<Party['facts']> = {}) =>
    problemsOfParty(tidiedParty({ ...ann, ...change, facts: { ...person, ...facts } }), TERMS);

  it('has a role, an address and a tax id, or a passport with its country', () => {
    expect(problemsOf({})).toEqual({});
    expect(problemsOf({ roles: [], shareBps: null })).toEqual({ roles: 'role_missing' });
    expect(problemsOf({}, { taxId: '' })).toEqual({ taxId: 'id_missing' });
    expect(problemsOf({}, { taxId: '', passport: 'c01x-00t47', passportCountry: 'de' })).toEqual({});
    expect(problemsOf({}, { taxId: '', passport: 'C01X00T47' })).toEqual({ passportCountry: 'malformed' });
    expect(problemsOf({}, { country: 'IR', street: '' })).toMatchObject({
      country: 'country_sanctioned',
      street: 'malformed',
    });
  });

  it('that owns has 25 % at least and the whole at most, and nobody else has a share', () => {
    for (const shareBps of [null, 2_499, 10_001, 2_500.5, -1])
      expect(problemsOf({ shareBps })).toEqual({ shareBps: 'share_out_of_bounds' });
    expect(problemsOf({ shareBps: 2_500 })).toEqual({});
    expect(problemsOf({ roles: ['control'] })).toEqual({ shareBps: 'share_without_owner' });
  });

  it('that acts or controls is 18 and has a title; who owns alone needs neither', () => {
    const child = { birthDate: '2015-05-17', title: '' };
    expect(problemsOf({ roles: ['owner'] }, child)).toEqual({});
    expect(problemsOf({ roles: ['owner', 'control'] }, child)).toEqual({ birthDate: 'too_young', title: 'malformed' });
  });
});

describe('the parties of an entity', () => {
  const of = (parties: readonly Party[], nobodyOwns = false) => problemOfParties({ parties, nobodyOwns });

  it('own no more than the whole together', () => {
    expect(of([ann, ben])).toBeNull();
    expect(of([ann, { ...ben, shareBps: 4_001 }])).toBe('shares_above_whole');
  });

  it('are six at most, one of them in control and one who acts', () => {
    const owner = (id: string): Party => ({ ...ben, id, roles: ['owner'], shareBps: null });
    expect(of(['1', '2', '3', '4', '5', '6', '7'].map(owner))).toBe('too_many');
    expect(of([ann, { ...ben, roles: ['control'], shareBps: null }])).toBe('two_in_control');
    expect(of([ann, { ...ben, roles: ['authorised'], shareBps: null }])).toBe('two_authorised');
  });

  it('have an owner, or it is stated that nobody owns a quarter, and never both', () => {
    const acting: Party = { ...ann, roles: ['control', 'authorised'], shareBps: null };
    expect(missingParties({ ...whole, parties: [acting] }, TERMS)).toEqual(['owner']);
    expect(missingParties({ ...whole, parties: [acting], nobodyOwns: true }, TERMS)).toEqual([]);
    expect(of([ann], true)).toBe('owners_contradict');
  });

  it('are missing again once one no longer does', () => {
    expect(missingParties(whole, { ...TERMS, served: ['DE'] })).toEqual(['parties']);
  });

  it('name nobody twice: who is stated anew takes their own place', () => {
    expect(withParty([ann, ben], { ...ben, id: '3', shareBps: 2_500 }).map(({ id }) => id)).toEqual(['1', '3']);
  });

  it('are others once somebody joins, leaves or owns another share, and not by moving', () => {
    const isOther = (parties: readonly Party[]) => isAnotherEntity(whole, { ...whole, parties });
    expect(isOther([ben, { ...ann, id: '9', facts: { ...person, street: '3 Main Street' } }])).toBe(false);
    expect(isOther([ann])).toBe(true);
    expect(isOther([ann, { ...ben, shareBps: 3_000 }])).toBe(true);
    expect(isOther([ann, { ...ben, facts: { ...ben.facts, legalName: 'Eve' } }])).toBe(true);
    expect(isAnotherEntity(whole, { ...whole, facts: { ...whole.facts, taxId: '131234567' } })).toBe(true);
    expect(isAnotherEntity(whole, { ...whole, facts: { ...whole.facts, street: '4 Market Street' } })).toBe(false);
  });

  it('have one who acts, by the name of the user who signs in', () => {
    expect(isActedForBy(whole, 'ann  o’neill')).toBe(true);
    expect(isActedForBy(whole, 'Ben Kerr')).toBe(false);
    expect(isActedForBy(NO_ENTITY, '')).toBe(false);
  });
});
