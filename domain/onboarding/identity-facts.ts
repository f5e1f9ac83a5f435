import { HOUR_MS } from '../calendar/durations.ts';
import { hasUnseenInName } from '../register/look-alike.ts';
import { personNameOf } from './sign-up.ts';

/** What a person states of themselves (31 CFR 1023.220(a)(2)(i)). An empty text is not stated yet. */
export interface IdentityFacts {
  readonly legalName: string;
  /** YYYY-MM-DD. */
  readonly birthDate: string;
  /** ISO 3166-1 alpha-2, where they live. */
  readonly country: string;
  readonly street: string;
  readonly city: string;
  readonly region: string;
  readonly postalCode: string;
  /** Digits and letters alone; of the US an SSN or ITIN. */
  readonly taxId: string;
}

export const NOTHING_STATED: IdentityFacts = {
  legalName: '',
  birthDate: '',
  country: '',
  street: '',
  city: '',
  region: '',
  postalCode: '',
  taxId: '',
};

/** Whether what tells people apart is stated otherwise. An address is no part of it: people move. */
export function isAnotherPerson(before: IdentityFacts, after: IdentityFacts): boolean {
  return (['legalName', 'birthDate', 'taxId'] as const).some((name) => before[name] !== after[name]);
}

export type FactName = keyof IdentityFacts;

/** What is wrong with a fact. */
export type FactProblem = 'malformed' | 'too_young' | 'country_not_served' | 'country_sanctioned' | 'tax_id_malformed';

/** Under comprehensive sanctions of the US: Cuba (31 CFR 515), North Korea (31 CFR 510), Iran (31 CFR 560). No setting lets them in. */
const SANCTIONED = new Set(['CU', 'KP', 'IR']);

/** Countries that are served, from a setting of codes with spaces in between. */
export function servedCountries(setting: string): readonly string[] {
  return setting.split(' ').filter((code) => /^[A-Z]{2}$/.test(code) && !SANCTIONED.has(code));
}

const AGE_MIN = 18;
const AGE_MAX = 120;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Where a day begins last: twelve hours after UTC. Who is of age there is of age wherever they are. */
const LAST_DAY_BEGINS_MS = 12 * HOUR_MS;

/** Whole years, on every clock of the world; null where the text is no date. Who was born on 29 February is a year older on 1 March of other years. @internal */
export function ageAt(birthDate: string, now: number): number | null {
  const [, year = '', month = '', day = ''] = DATE.exec(birthDate) ?? [];
  const born = new Date(`${birthDate}T00:00:00Z`);
  if (year === '' || Number.isNaN(born.getTime()) || born.toISOString().slice(0, 10) !== birthDate) return null;
  const today = new Date(now - LAST_DAY_BEGINS_MS);
  const hadBirthday =
    today.getUTCMonth() + 1 > Number(month) ||
    (today.getUTCMonth() + 1 === Number(month) && today.getUTCDate() >= Number(day));
  return today.getUTCFullYear() - Number(year) - (hadBirthday ? 0 : 1);
}

const SSN = /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/;
const ITIN = /^9\d{2}(5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\d{4}$/;
const OTHER_TAX_ID = /^[0-9A-Z]{5,20}$/;

/** Whether a tax id has the form that the country gives it: of the US that of an SSN or ITIN. @internal */
export function isTaxId(taxId: string, country: string): boolean {
  return country === 'US' ? SSN.test(taxId) || ITIN.test(taxId) : OTHER_TAX_ID.test(taxId);
}

const LINE_LENGTH_MAX = 120;
/** As names have none of it. */
const NO_LINE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}<>{}[\]|\\^~=]/u;

/** A fact as it is kept, whatever the person put around it. */
export function tidied(name: FactName, written: string): string {
  switch (name) {
    case 'legalName':
      return personNameOf(written) ?? written.trim();
    case 'taxId':
      return inCapitals(written.replaceAll(/[\s./-]/g, ''));
    case 'country':
      return inCapitals(written.trim());
    default:
      return written.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  }
}

/** Of letters of ASCII alone: another one's capital may be two, as of ß, and so another number or country. */
function inCapitals(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** What facts are judged by. */
export interface FactTerms {
  readonly country: string;
  /** Countries that are served. */
  readonly served: readonly string[];
  readonly now: number;
}

/** What is wrong with a tidied fact; null for nothing. A tax id is judged by the country, so that it is stated first. */
export function problemOf(name: FactName, value: string, { country, served, now }: FactTerms): FactProblem | null {
  switch (name) {
    case 'legalName':
      return personNameOf(value) === null ? 'malformed' : null;
    case 'birthDate': {
      const age = ageAt(value, now);
      if (age === null || age > AGE_MAX || age < 0) return 'malformed';
      return age < AGE_MIN ? 'too_young' : null;
    }
    case 'country':
      if (SANCTIONED.has(value)) return 'country_sanctioned';
      return served.includes(value) ? null : 'country_not_served';
    case 'taxId':
      return isTaxId(value, country) ? null : 'tax_id_malformed';
    case 'region':
      return isLine(value) || (value === '' && country !== 'US') ? null : 'malformed';
    case 'postalCode':
      return isLine(value) && (country !== 'US' || /^\d{5}(-\d{4})?$/.test(value)) ? null : 'malformed';
    case 'street':
    case 'city':
      return isLine(value) ? null : 'malformed';
  }
}

/** One line of text, as it may stand on a page and in a sheet. */
export function isLine(value: string): boolean {
  return value !== '' && value.length <= LINE_LENGTH_MAX && !NO_LINE.test(value) && !hasUnseenInName(value);
}

const FACT_NAMES = Object.keys(NOTHING_STATED) as FactName[];

/** The facts that are missing, or no longer do: a country may have left the list since. */
export function missingFacts(facts: IdentityFacts, terms: Omit<FactTerms, 'country'>): FactName[] {
  return FACT_NAMES.filter((name) => problemOf(name, facts[name], { ...terms, country: facts.country }) !== null);
}

const HIDDEN = '•••';

/** What is shown of facts to whoever only has to know that they are there. */
export function maskedFacts(facts: IdentityFacts): IdentityFacts {
  const initials = facts.legalName.split(' ').map((word) => `${[...word][0] ?? ''}${HIDDEN}`);
  return {
    legalName: facts.legalName === '' ? '' : initials.join(' '),
    birthDate: facts.birthDate === '' ? '' : `${facts.birthDate.slice(0, 4)}-••-••`,
    country: facts.country,
    street: hidden(facts.street),
    city: facts.city,
    region: facts.region,
    postalCode: hidden(facts.postalCode),
    taxId: masked(facts.taxId),
  };
}

/** The end of a number, by which who knows it knows it again. */
export function masked(number: string): string {
  return number === '' ? '' : `${HIDDEN}${number.slice(-4)}`;
}

function hidden(value: string): string {
  return value === '' ? '' : HIDDEN;
}
