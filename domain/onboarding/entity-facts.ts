import {
  type FactProblem,
  type FactTerms,
  type IdentityFacts,
  isLine,
  masked,
  maskedFacts,
  problemOf,
  tidied,
} from './identity-facts.ts';

export const ENTITY_FORMS = ['company', 'partnership', 'trust', 'fund'] as const;

export type EntityForm = (typeof ENTITY_FORMS)[number];

/** What is stated of an entity itself (31 CFR 1023.220(a)(2)(i)). An empty text is not stated yet. */
export interface EntityFacts extends Omit<IdentityFacts, 'birthDate'> {
  /** One of `ENTITY_FORMS`. */
  readonly form: string;
  /** ISO 3166-1 alpha-2, and of the US the state, where it was formed. */
  readonly formationCountry: string;
  readonly formationRegion: string;
  readonly registrationNumber: string;
  readonly activity: string;
  readonly sourceOfFunds: string;
}

export const NOTHING_STATED_OF_ENTITY: EntityFacts = {
  legalName: '',
  form: '',
  formationCountry: '',
  formationRegion: '',
  registrationNumber: '',
  country: '',
  street: '',
  postalCode: '',
  city: '',
  region: '',
  taxId: '',
  activity: '',
  sourceOfFunds: '',
};

export type EntityFactName = keyof EntityFacts;

export const ENTITY_FACT_NAMES = Object.keys(NOTHING_STATED_OF_ENTITY) as EntityFactName[];

/** Prefixes that the IRS has given to employer identification numbers. */
const EIN = /^(0[1-6]|1[0-6]|2[0-7]|3\d|4[0-8]|5\d|6[0-8]|7[1-7]|8[0-8]|9[0-5]|9[89])\d{7}$/;
const OTHER_TAX_ID = /^[0-9A-Z]{5,20}$/;
const REGISTRATION = /^[\p{L}\p{N}][\p{L}\p{N} ./-]{0,39}$/u;
const PROSE_LENGTH_MAX = 500;
const PROSE_LENGTH_MIN = 10;
const NO_PROSE = /[\p{C}\p{Zl}\p{Zp}<>{}[\]|\\^~=]/u;

/** A fact of an entity as it is kept, whatever was put around it. */
export function tidiedOfEntity(name: EntityFactName, written: string): string {
  switch (name) {
    case 'form':
      return written.trim().toLowerCase();
    case 'formationCountry':
      return tidied('country', written);
    case 'taxId':
      return tidied('taxId', written);
    case 'country':
      return tidied('country', written);
    default:
      return tidied('street', written);
  }
}

/** What is wrong with a tidied fact of an entity; null for nothing. Its countries are those that people are served in. */
export function problemOfEntity(
  name: EntityFactName,
  facts: EntityFacts,
  terms: Omit<FactTerms, 'country'>,
): FactProblem | null {
  const value = facts[name];
  const { country, formationCountry } = facts;
  switch (name) {
    case 'legalName':
      return isLine(value) ? null : 'malformed';
    case 'form':
      return ENTITY_FORMS.some((form) => form === value) ? null : 'malformed';
    case 'formationCountry':
      return problemOf('country', value, { ...terms, country: formationCountry });
    case 'formationRegion':
      return problemOf('region', value, { ...terms, country: formationCountry });
    case 'registrationNumber':
      return REGISTRATION.test(value) ? null : 'malformed';
    case 'taxId':
      return (formationCountry === 'US' ? EIN : OTHER_TAX_ID).test(value) ? null : 'tax_id_malformed';
    case 'activity':
    case 'sourceOfFunds':
      return isProse(value) ? null : 'malformed';
    default:
      return problemOf(name, value, { ...terms, country });
  }
}

function isProse(value: string): boolean {
  return value.length >= PROSE_LENGTH_MIN && value.length <= PROSE_LENGTH_MAX && !NO_PROSE.test(value);
}

/** What somebody is to an entity: an owner of 25 % or more, the one who controls it (31 CFR 1010.230(d)), or who acts for it here: the user who signs in. */
export const PARTY_ROLES = ['owner', 'control', 'authorised'] as const;

export type PartyRole = (typeof PARTY_ROLES)[number];

/** What is stated of a natural person behind an entity: a tax id, or a passport with the country that has given it. */
export interface PartyFacts extends IdentityFacts {
  readonly passport: string;
  readonly passportCountry: string;
  /** What they are there, such as managing director. */
  readonly title: string;
}

export type PartyFactName = keyof PartyFacts;

export const NOTHING_STATED_OF_PARTY: PartyFacts = {
  legalName: '',
  birthDate: '',
  country: '',
  street: '',
  postalCode: '',
  city: '',
  region: '',
  taxId: '',
  passport: '',
  passportCountry: '',
  title: '',
};

export const PARTY_FACT_NAMES = Object.keys(NOTHING_STATED_OF_PARTY) as PartyFactName[];

export interface StatedParty {
  readonly roles: readonly PartyRole[];
  readonly facts: PartyFacts;
  /** Basis points of the equity; null of who owns less than 25 %. */
  readonly shareBps: number | null;
}

export interface Party extends StatedParty {
  /** UUIDv7. */
  readonly id: string;
}

/** What is stated of an entity and of who is behind it. */
export interface EntityStatement {
  readonly facts: EntityFacts;
  /** It was said that nobody owns 25 % or more. */
  readonly nobodyOwns: boolean;
  readonly parties: readonly Party[];
}

export const NO_ENTITY: EntityStatement = { facts: NOTHING_STATED_OF_ENTITY, nobodyOwns: false, parties: [] };

const WHOLE_BPS = 10_000;
/** From which share on an owner is named (31 CFR 1010.230(d)(1)). */
export const OWNER_SHARE_BPS_MIN = 2_500;
/** Four owners at most have a quarter each; beside them who controls it, and who acts for it. */
export const PARTIES_MAX = 6;

export type PartyProblem = FactProblem | 'id_missing' | 'role_missing' | 'share_out_of_bounds' | 'share_without_owner';

export type PartyProblems = Readonly<Partial<Record<PartyFactName | 'roles' | 'shareBps', PartyProblem>>>;

/** A party as it is kept. */
export function tidiedParty({ roles, facts, shareBps }: StatedParty): StatedParty {
  const kept = PARTY_FACT_NAMES.map((name) => [name, tidiedOfParty(name, facts[name])]);
  return {
    roles: PARTY_ROLES.filter((role) => roles.includes(role)),
    facts: Object.fromEntries(kept) as unknown as PartyFacts,
    shareBps,
  };
}

function tidiedOfParty(name: PartyFactName, written: string): string {
  switch (name) {
    case 'passport':
      return tidied('taxId', written);
    case 'passportCountry':
      return tidied('country', written);
    case 'title':
      return tidied('street', written);
    default:
      return tidied(name, written);
  }
}

/** What is wrong with a tidied party, by what was stated; empty for nothing. */
export function problemsOfParty(
  { roles, facts, shareBps }: StatedParty,
  terms: Omit<FactTerms, 'country'>,
): PartyProblems {
  const problems: Partial<Record<PartyFactName | 'roles' | 'shareBps', PartyProblem>> = {};
  const isOwner = roles.includes('owner');
  const acts = roles.some((role) => role !== 'owner');
  for (const name of PARTY_FACT_NAMES) {
    const problem = problemOfPartyFact(name, facts, terms);
    // Who owns alone may be a child: nothing is done in their name.
    if (problem !== null && (problem !== 'too_young' || acts)) problems[name] = problem;
  }
  if (facts.title === '' && !acts) delete problems.title;
  if (roles.length === 0) problems.roles = 'role_missing';
  if (!isOwner && shareBps !== null) problems.shareBps = 'share_without_owner';
  if (isOwner && !isShareOfOwner(shareBps)) problems.shareBps = 'share_out_of_bounds';
  return problems;
}

function isShareOfOwner(shareBps: number | null): boolean {
  return shareBps !== null && Number.isInteger(shareBps) && shareBps >= OWNER_SHARE_BPS_MIN && shareBps <= WHOLE_BPS;
}

function problemOfPartyFact(
  name: PartyFactName,
  facts: PartyFacts,
  terms: Omit<FactTerms, 'country'>,
): PartyProblem | null {
  const { country, taxId, passport, passportCountry } = facts;
  switch (name) {
    case 'taxId':
      if (taxId === '') return passport === '' ? 'id_missing' : null;
      return problemOf('taxId', taxId, { ...terms, country });
    case 'passport':
      return passport === '' || OTHER_TAX_ID.test(passport) ? null : 'malformed';
    case 'passportCountry':
      if (passport === '') return passportCountry === '' ? null : 'malformed';
      return /^[A-Z]{2}$/.test(passportCountry) ? null : 'malformed';
    case 'title':
      return isLine(facts.title) ? null : 'malformed';
    default:
      return problemOf(name, facts[name], { ...terms, country });
  }
}

export type PartiesProblem =
  | 'too_many'
  | 'shares_above_whole'
  | 'two_in_control'
  | 'two_authorised'
  | 'owners_contradict';

/** What is wrong with the parties together; null for nothing. */
export function problemOfParties({ parties, nobodyOwns }: Omit<EntityStatement, 'facts'>): PartiesProblem | null {
  if (parties.length > PARTIES_MAX) return 'too_many';
  if (parties.reduce((sum, { shareBps }) => sum + (shareBps ?? 0), 0) > WHOLE_BPS) return 'shares_above_whole';
  if (withRole(parties, 'control') > 1) return 'two_in_control';
  if (withRole(parties, 'authorised') > 1) return 'two_authorised';
  return nobodyOwns && withRole(parties, 'owner') > 0 ? 'owners_contradict' : null;
}

function withRole(parties: readonly StatedParty[], role: PartyRole): number {
  return parties.filter(({ roles }) => roles.includes(role)).length;
}

/** Whose statement is missing: that nobody owns a quarter is stated, not left out. `parties` where one no longer does. */
export type PartyGap = PartyRole | 'parties';

export function missingParties(entity: EntityStatement, terms: Omit<FactTerms, 'country'>): PartyGap[] {
  const { parties, nobodyOwns } = entity;
  const gaps: PartyGap[] = PARTY_ROLES.filter(
    (role) => withRole(parties, role) === 0 && !(role === 'owner' && nobodyOwns),
  );
  const isOutOfOrder = parties.some((party) => Object.keys(problemsOfParty(party, terms)).length > 0);
  return isOutOfOrder || problemOfParties(entity) !== null ? [...gaps, 'parties'] : gaps;
}

export function missingOfEntity({ facts }: EntityStatement, terms: Omit<FactTerms, 'country'>): EntityFactName[] {
  return ENTITY_FACT_NAMES.filter((name) => problemOfEntity(name, facts, terms) !== null);
}

/** What tells parties apart, and what they are there. Where somebody lives is no part of it. */
const markOf = ({ roles, facts, shareBps }: StatedParty): string =>
  JSON.stringify([
    roles,
    shareBps,
    facts.legalName,
    facts.birthDate,
    facts.taxId,
    facts.passport,
    facts.passportCountry,
  ]);

/** Whether it is another entity than before, or somebody else is behind it. */
export function isAnotherEntity(before: EntityStatement, after: EntityStatement): boolean {
  const marksOf = ({ parties, nobodyOwns }: EntityStatement) => [nobodyOwns, ...parties.map(markOf).toSorted()].join();
  const isRenamed = (
    ['legalName', 'form', 'formationCountry', 'formationRegion', 'registrationNumber', 'taxId'] as const
  ).some((name) => before.facts[name] !== after.facts[name]);
  return isRenamed || marksOf(before) !== marksOf(after);
}

/** The parties with one more. Who was named before under the same name and birth date is stated anew, in their place. */
export function withParty(parties: readonly Party[], added: Party): Party[] {
  const isSame = ({ facts }: Party) =>
    facts.legalName === added.facts.legalName && facts.birthDate === added.facts.birthDate;
  return [...parties.filter((party) => !isSame(party)), added];
}

/** Whether who acts for the entity has the name by which the user who signs in is known. */
export function isActedForBy({ parties }: EntityStatement, name: string): boolean {
  const actor = parties.find(({ roles }) => roles.includes('authorised'));
  return actor !== undefined && plain(actor.facts.legalName) === plain(name);
}

const plain = (name: string): string => tidied('legalName', name).toLocaleLowerCase('en');

/** What is shown of an entity to whoever only has to know that it is there: what it is and who owns how much, and no name or number. */
export function maskedEntity({ facts, nobodyOwns, parties }: EntityStatement): EntityStatement {
  const { birthDate: _, ...shown } = maskedFacts({ ...facts, birthDate: '' });
  return {
    facts: { ...facts, ...shown, registrationNumber: masked(facts.registrationNumber) },
    nobodyOwns,
    parties: parties.map((party) => ({ ...party, facts: maskedParty(party.facts) })),
  };
}

function maskedParty({ passport, passportCountry, title, ...facts }: PartyFacts): PartyFacts {
  return { ...maskedFacts(facts), passport: masked(passport), passportCountry, title };
}
