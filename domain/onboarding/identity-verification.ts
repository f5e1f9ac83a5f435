import { DAY_MS } from '../calendar/durations.ts';
import type { ProviderUnavailable } from '../providers/provider-unavailable.ts';
import type { Result } from '../result.ts';
import { type EntityStatement, PARTIES_MAX } from './entity-facts.ts';
import type { DocumentKind, DocumentType } from './identity-documents.ts';
import type { IdentityFacts } from './identity-facts.ts';

/** Of a search in lists of sanctions, and in the media. */
export const SCREENING_RESULTS = ['unchecked', 'clear', 'match'] as const;

/** What is found of who a party is. */
export const PARTY_FINDINGS = ['pending', 'verified', 'refused', 'review'] as const;

type ScreeningResult = (typeof SCREENING_RESULTS)[number];

/** What was stated: of a person, or of an entity and who is behind it. */
export type Stated =
  | { readonly subject: 'person'; readonly facts: IdentityFacts }
  | { readonly subject: 'entity'; readonly entity: EntityStatement };

/** What was handed in, as a provider gets it. */
interface IdentityOrder {
  /** UUIDv7 of the handing in; the same on every repetition. */
  readonly id: string;
  /** The account, and nothing that names the person. */
  readonly account: string;
  readonly stated: Stated;
  readonly documents: readonly {
    readonly id: string;
    readonly kind: DocumentKind;
    readonly type: DocumentType;
    /** Its bytes; null where they are gone. */
    read(): Promise<Uint8Array | null>;
  }[];
}

export interface Screening {
  readonly sanctions: ScreeningResult;
  readonly adverseMedia: ScreeningResult;
  readonly checkedAt: number;
}

/** What a provider has found of one subject. Times are Unix milliseconds. */
type SingleFinding =
  | { readonly type: 'pending' }
  | ({ readonly type: 'verified'; readonly expiresAt: number } & Screening)
  | ({ readonly type: 'refused' | 'review'; readonly reason: string } & Screening);

/** What it has found of one party of an entity. */
export type PartyFinding = { readonly party: string } & SingleFinding;

/** What a provider has found: of an entity with its parties, of whom each counts. */
export type IdentityFinding = SingleFinding & { readonly parties?: readonly PartyFinding[] };

/** A third party that verifies who somebody is. */
export interface IdentityVerificationProvider {
  readonly name: string;
  /**
   * Asks for a verification, once for its id.
   *
   * @returns the provider's own id
   */
  request(order: IdentityOrder): Promise<Result<string, ProviderUnavailable>>;
  /** Where it stands. */
  status(
    order: Pick<IdentityOrder, 'id' | 'stated'>,
    reference: string,
  ): Promise<Result<IdentityFinding, ProviderUnavailable>>;
}

/**
 * What a finding is worth: only one that found nothing against a person lets them in by itself, and nobody whom an operator has asked for something else, or who states another
 * person than was approved: such a doubt is answered by an operator. An entity is let in only with all of its parties: one that is refused refuses it, and any other doubt of one is answered by an
 * operator.
 */
export function weighed(
  finding: IdentityFinding,
  { now, needsPerson, parties, isLater = false }: WeighingTerms,
): IdentityFinding {
  if (finding.type === 'pending') return finding;
  const of = finding.parties ?? [];
  const told = parties.map((id) => of.find(({ party }) => party === id));
  const { sanctions, adverseMedia } = finding;
  const checkedAt = Math.min(finding.checkedAt, now);
  const review = (reason: string) =>
    ({ type: 'review', reason, sanctions, adverseMedia, checkedAt, parties: of }) as const;
  if (finding.type !== 'refused' && told.some((party) => party?.type === 'refused'))
    return { ...review('party_refused'), type: 'refused' };
  if (finding.type !== 'verified') return finding;
  const singles = [finding, ...told];
  if (singles.some((single) => isMatch(single)))
    return review(isMatch(finding) ? 'screening_match' : 'party_screening_match');
  if (isLater) {
    if (told.some((party) => party?.type === 'review')) return review('party_finding_incomplete');
  } else {
    if (!isClear(finding, now)) return review('finding_incomplete');
    if (!told.every((party) => isClear(party, now))) return review('party_finding_incomplete');
    if (needsPerson) return review('needs_person');
  }
  const ends = told.map((party) => (party?.type === 'verified' ? party.expiresAt : finding.expiresAt));
  const expiresAt = Math.min(finding.expiresAt, ...ends);
  return expiresAt === finding.expiresAt ? finding : { ...finding, expiresAt };
}

/** Whether there is a match in lists of sanctions, of the person or entity or of a party that was handed in. */
export function isSanctioned(finding: IdentityFinding, parties: readonly string[]): boolean {
  const named = (finding.parties ?? []).filter(({ party }) => parties.includes(party));
  return [finding, ...named].some((single) => single.type !== 'pending' && single.sanctions === 'match');
}

/** What a finding of another handing in says of what stands now: a match. Nobody is clear by what was stated before. */
export function matchesOf({ sanctions, adverseMedia }: Omit<Screening, 'checkedAt'>): Omit<Screening, 'checkedAt'> {
  const matchOf = (result: ScreeningResult): ScreeningResult => (result === 'match' ? result : 'unchecked');
  return { sanctions: matchOf(sanctions), adverseMedia: matchOf(adverseMedia) };
}

/** What a finding of another handing in says of the same parties of what stands now: refusals and matches, and nothing else. */
export function findingsAgainst({ parties = [] }: IdentityFinding): readonly PartyFinding[] {
  return parties.flatMap((found): readonly PartyFinding[] => {
    if (found.type === 'pending' || (found.type !== 'refused' && !isMatch(found))) return [];
    const { party, checkedAt } = found;
    const against = { party, checkedAt, ...matchesOf(found) };
    if (found.type === 'verified') return [{ ...against, type: 'review', reason: 'screening_match' }];
    return [{ ...against, type: found.type, reason: found.reason }];
  });
}

function isMatch(finding: SingleFinding | undefined): boolean {
  if (finding === undefined || finding.type === 'pending') return false;
  return finding.sanctions === 'match' || finding.adverseMedia === 'match';
}

function isClear(finding: SingleFinding | undefined, now: number): boolean {
  if (finding?.type !== 'verified') return false;
  const { sanctions, adverseMedia, checkedAt, expiresAt } = finding;
  return sanctions === 'clear' && adverseMedia === 'clear' && expiresAt > now && checkedAt <= now + CLOCKS_MS;
}

interface WeighingTerms {
  readonly now: number;
  /** An operator has asked the person back once, or they state another person than was approved. */
  readonly needsPerson: boolean;
  /** Ids of the parties that were handed in; of a person none. */
  readonly parties: readonly string[];
  /** It is told of what was decided already: what it leaves out says nothing against that. */
  readonly isLater?: boolean;
}

const CLOCKS_MS = 5 * 60_000;

/** How long the simulated provider's word is good. */
const SIMULATED_MS = 730 * DAY_MS;

/**
 * What the simulated provider finds (docs/design/onboarding.md#the-simulated-provider): the words REFUSED, REVIEW and PENDING in the legal name are taken at their word, who is born on 1 January
 * 1970 is for a person to look at, and everybody else is who they say. Of an entity, each of its parties is found out about in the same way.
 */
export function simulatedIdentityFinding(stated: Stated, now: number): IdentityFinding {
  if (stated.subject === 'person') return simulatedFinding(stated.facts, now);
  const { facts, parties } = stated.entity;
  const found = parties.map((party) => ({ party: party.id, ...simulatedFinding(party.facts, now) }));
  if (found.some(({ type }) => type === 'pending')) return { type: 'pending' };
  return { ...simulatedFinding({ legalName: facts.legalName, birthDate: '' }, now), parties: found };
}

function simulatedFinding(
  { legalName, birthDate }: Pick<IdentityFacts, 'legalName' | 'birthDate'>,
  now: number,
): SingleFinding {
  const words = new Set(legalName.toUpperCase().split(' '));
  const clear = { sanctions: 'clear', adverseMedia: 'clear', checkedAt: now } as const;
  if (words.has('PENDING')) return { type: 'pending' };
  if (words.has('REFUSED')) return { type: 'refused', reason: 'document_not_genuine', ...clear };
  if (words.has('REVIEW')) return { type: 'review', reason: 'screening_match', ...clear, sanctions: 'match' };
  if (birthDate === '1970-01-01') return { type: 'review', reason: 'birth_date_not_certain', ...clear };
  return { type: 'verified', expiresAt: now + SIMULATED_MS, ...clear };
}

/** What a provider says of one verification, in its answers and its callbacks. */
export interface ToldIdentityFinding {
  /** The provider's own id. */
  readonly reference: string;
  readonly finding: IdentityFinding;
}

const TEXT_LENGTH_MAX = 300;

/**
 * Reads `{id, status, reason?, sanctions?, adverseMedia?, checkedAt?, expiresAt?, parties?}`: `status` is `pending`, `verified`, `refused` or `review`, times are ISO 8601, and `parties` are the
 * same, each with the id that the party was handed in under. Null for anything else.
 */
export function readIdentityFinding(value: unknown): ToldIdentityFinding | null {
  if (typeof value !== 'object' || value === null) return null;
  const told = value as Readonly<Record<string, unknown>>;
  const reference = textOf(told.id);
  const finding = findingOf(told);
  if (reference === null || finding === null) return null;
  if (told.parties === undefined) return { reference, finding };
  const parties = partiesOf(told.parties);
  return parties === null ? null : { reference, finding: { ...finding, parties } };
}

function partiesOf(value: unknown): readonly PartyFinding[] | null {
  if (!Array.isArray(value) || value.length > PARTIES_MAX) return null;
  const parties: PartyFinding[] = [];
  for (const one of value as readonly unknown[]) {
    if (typeof one !== 'object' || one === null) return null;
    const told = one as Readonly<Record<string, unknown>>;
    const party = textOf(told.id);
    const finding = findingOf(told);
    if (party === null || finding === null || parties.some((known) => known.party === party)) return null;
    parties.push({ party, ...finding });
  }
  // In one order, whatever the provider's: the same word is known as the same.
  return parties.toSorted((a, b) => (a.party < b.party ? -1 : 1));
}

function findingOf(told: Readonly<Record<string, unknown>>): SingleFinding | null {
  if (told.status === 'pending') return { type: 'pending' };
  const checkedAt = timeOf(told.checkedAt);
  if (checkedAt === null) return null;
  const screening = { sanctions: resultOf(told.sanctions), adverseMedia: resultOf(told.adverseMedia), checkedAt };
  switch (told.status) {
    case 'verified': {
      const expiresAt = timeOf(told.expiresAt);
      return expiresAt === null ? null : { type: 'verified', expiresAt, ...screening };
    }
    case 'refused':
    case 'review':
      return { type: told.status, reason: textOf(told.reason) ?? told.status, ...screening };
    default:
      return null;
  }
}

function resultOf(value: unknown): ScreeningResult {
  return SCREENING_RESULTS.find((known) => known === value) ?? 'unchecked';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX ? value : null;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) && time > 0 ? time : null;
}
