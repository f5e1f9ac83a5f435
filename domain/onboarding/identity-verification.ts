import { DAY_MS } from '../calendar/durations.ts';
import type { ProviderUnavailable } from '../providers/provider-unavailable.ts';
import type { Result } from '../result.ts';
import type { DocumentKind, DocumentType } from './identity-documents.ts';
import type { IdentityFacts } from './identity-facts.ts';

/** Of a search in lists of sanctions, and in the media. */
export const SCREENING_RESULTS = ['unchecked', 'clear', 'match'] as const;

type ScreeningResult = (typeof SCREENING_RESULTS)[number];

/** What a person has handed in, as a provider gets it. */
interface IdentityOrder {
  /** UUIDv7 of the handing in; the same on every repetition. */
  readonly id: string;
  /** The account, and nothing that names the person. */
  readonly account: string;
  readonly facts: IdentityFacts;
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

/** What a provider has found. Times are Unix milliseconds. */
export type IdentityFinding =
  | { readonly type: 'pending' }
  | ({ readonly type: 'verified'; readonly expiresAt: number } & Screening)
  | ({ readonly type: 'refused' | 'review'; readonly reason: string } & Screening);

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
    order: Pick<IdentityOrder, 'id' | 'facts'>,
    reference: string,
  ): Promise<Result<IdentityFinding, ProviderUnavailable>>;
}

/**
 * What a finding is worth: only one that found nothing against a person lets them in by itself, and nobody whom an operator has asked for something else, or who states another
 * person than was approved: such a doubt is answered by an operator.
 */
export function weighed(finding: IdentityFinding, { now, needsPerson }: WeighingTerms): IdentityFinding {
  if (finding.type !== 'verified') return finding;
  const { sanctions, adverseMedia, checkedAt, expiresAt } = finding;
  const isClear = sanctions === 'clear' && adverseMedia === 'clear' && expiresAt > now && checkedAt <= now + CLOCKS_MS;
  if (isClear && !needsPerson) return finding;
  const isMatch = sanctions === 'match' || adverseMedia === 'match';
  const reason = isMatch ? 'screening_match' : isClear ? 'needs_person' : 'finding_incomplete';
  return { type: 'review', reason, sanctions, adverseMedia, checkedAt: Math.min(checkedAt, now) };
}

interface WeighingTerms {
  readonly now: number;
  /** An operator has asked the person back once, or they state another person than was approved. */
  readonly needsPerson: boolean;
}

const CLOCKS_MS = 5 * 60_000;

/** How long the simulated provider's word is good. */
const SIMULATED_MS = 730 * DAY_MS;

/**
 * What the simulated provider finds (docs/design/onboarding.md#the-simulated-provider): the words REFUSED, REVIEW and PENDING in the legal name are taken at their word, who is born on 1 January
 * 1970 is for a person to look at, and everybody else is who they say.
 */
export function simulatedIdentityFinding({ legalName, birthDate }: IdentityFacts, now: number): IdentityFinding {
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
 * Reads `{id, status, reason?, sanctions?, adverseMedia?, checkedAt?, expiresAt?}`: `status` is `pending`, `verified`, `refused` or `review`, times are ISO 8601. Null for anything
 * else.
 */
export function readIdentityFinding(value: unknown): ToldIdentityFinding | null {
  if (typeof value !== 'object' || value === null) return null;
  const told = value as Readonly<Record<string, unknown>>;
  const reference = textOf(told.id);
  const finding = findingOf(told);
  return reference === null || finding === null ? null : { reference, finding };
}

function findingOf(told: Readonly<Record<string, unknown>>): IdentityFinding | null {
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
