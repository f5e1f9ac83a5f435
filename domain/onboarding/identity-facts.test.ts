import { describe, expect, it } from 'vitest';
import {
  ageAt,
  type FactName,
  isTaxId,
  maskedFacts,
  missingFacts,
  NOTHING_STATED,
  problemOf,
  servedCountries,
  tidied,
} from './identity-facts.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const TERMS = { country: 'US', served: ['US', 'DE'], now: NOW };

describe('the age of a person', () => {
  it.each([
    ['2008-06-15', 18],
    ['2008-06-16', 17],
    ['2008-02-29', 18],
    ['1990-12-31', 35],
    ['2026-06-16', -1],
  ])('born on %s is %d', (born, age) => {
    expect(ageAt(born, NOW)).toBe(age);
  });

  it('is reached where the day begins last', () => {
    expect(ageAt('2008-12-01', Date.parse('2026-12-01T00:30:00Z')), 'the evening before, in Honolulu').toBe(17);
    expect(ageAt('2008-12-01', Date.parse('2026-12-01T12:00:00Z'))).toBe(18);
  });

  it('of who was born on 29 February is reached on 1 March', () => {
    expect(ageAt('2008-02-29', Date.parse('2026-03-01T11:59:59Z'))).toBe(17);
    expect(ageAt('2008-02-29', Date.parse('2026-03-01T12:00:00Z'))).toBe(18);
  });

  it.each(['2008-02-30', '2007-02-29', '15.06.2008', '2008-6-15', '', '0000-00-00'])('is none of %j', (born) => {
    expect(ageAt(born, NOW)).toBeNull();
    expect(problemOf('birthDate', born, TERMS)).toBe('malformed');
  });

  it('has to be 18', () => {
    expect(problemOf('birthDate', '2008-06-16', TERMS)).toBe('too_young');
    expect(problemOf('birthDate', '2008-06-15', TERMS)).toBeNull();
    expect(problemOf('birthDate', '1900-01-01', TERMS)).toBe('malformed');
  });
});

describe('a tax id', () => {
  it.each(['078051120', '900500000', '999990000', '912651234', '912701234', '912881234', '912901234', '912941234'])(
    '%s has a form of the US',
    (id) => {
      expect(isTaxId(id, 'US')).toBe(true);
    },
  );

  it.each([
    '000121234',
    '666121234',
    '123001234',
    '123120000',
    '900491234',
    '912661234',
    '912891234',
    '912931234',
    '12345678',
    '1234567890',
    'A23456789',
  ])('%s has none', (id) => {
    expect(isTaxId(id, 'US')).toBe(false);
  });

  it('of other countries is letters and digits', () => {
    expect(isTaxId('12345678911', 'DE')).toBe(true);
    expect(isTaxId('1234', 'DE')).toBe(false);
    expect(isTaxId('12345<678', 'DE')).toBe(false);
  });

  it('is kept without what stands in between', () => {
    expect(tidied('taxId', ' 078-05-1120 ')).toBe('078051120');
  });
});

describe('the country of a person', () => {
  it('is one that is served, and never one under comprehensive sanctions', () => {
    expect(servedCountries('US DE IR usa KP  CU')).toEqual(['US', 'DE']);
    expect(problemOf('country', 'DE', TERMS)).toBeNull();
    expect(problemOf('country', 'FR', TERMS)).toBe('country_not_served');
    expect(problemOf('country', 'IR', { ...TERMS, served: ['IR'] })).toBe('country_sanctioned');
  });
});

describe('what is stated', () => {
  const whole = {
    legalName: 'Ann O’Neill',
    birthDate: '1990-05-17',
    country: 'US',
    street: '1 Main Street',
    city: 'Springfield',
    region: 'IL',
    postalCode: '62701',
    taxId: '078051120',
  };

  it('is whole once nothing is missing', () => {
    expect(missingFacts(whole, TERMS)).toEqual([]);
    // A region is asked for once the country has some.
    expect(missingFacts(NOTHING_STATED, TERMS)).toHaveLength(7);
    expect(missingFacts({ ...whole, country: 'DE', region: '', taxId: '12345678911' }, TERMS)).toEqual([]);
    expect(missingFacts({ ...whole, region: '' }, TERMS)).toEqual(['region']);
  });

  it('is missing again once its country is no longer served', () => {
    expect(missingFacts(whole, { ...TERMS, served: ['DE'] })).toEqual(['country']);
  });

  it.each([
    ['legalName', '<b>Ann</b>'],
    ['legalName', 'Ann\u202eNeill'],
    ['street', 'x'.repeat(121)],
    ['street', '=1+1'],
    ['city', ''],
    ['postalCode', '627'],
  ] as const satisfies readonly (readonly [FactName, string])[])('takes no %s such as %j', (name, value) => {
    expect(problemOf(name, value, TERMS)).toBe('malformed');
  });

  it('is shown masked', () => {
    const masked = JSON.stringify(maskedFacts(whole));
    expect(masked).not.toMatch(/Ann|Neill|05-17|Main|62701|07805/);
    expect(maskedFacts(whole)).toMatchObject({ taxId: '•••1120', birthDate: '1990-••-••', country: 'US' });
    expect(maskedFacts(NOTHING_STATED)).toEqual(NOTHING_STATED);
  });
});

describe('what nobody sees', () => {
  it('is part of no name and no street, but for the joiners that a script asks for', () => {
    for (const unseen of ['\u3164\u115f', 'Ada\u3164Lovelace', 'Ada\ufe0f', 'Ada\u202e']) {
      expect(problemOf('legalName', unseen, TERMS), JSON.stringify(unseen)).toBe('malformed');
      expect(problemOf('street', unseen, TERMS), JSON.stringify(unseen)).toBe('malformed');
    }
    for (const name of ['رضا\u200cپور', 'क्\u200dषिति', 'José Ñandú']) {
      expect(tidied('legalName', name)).toBe(name.normalize('NFC'));
      expect(problemOf('legalName', name, TERMS), name).toBeNull();
    }
  });

  it('a letter whose capital is two makes no other number and no other country', () => {
    expect(problemOf('taxId', tidied('taxId', '12ß45'), { ...TERMS, country: 'DE' })).toBe('tax_id_malformed');
    expect(tidied('taxId', '12-ab.45')).toBe('12AB45');
    expect(tidied('country', 'ß')).toBe('ß');
  });
});
