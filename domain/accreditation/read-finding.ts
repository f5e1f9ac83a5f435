import type { VerificationFinding } from './verification.ts';

/** What a provider says of one verification, in its answers and its callbacks. */
export interface ToldFinding {
  /** The provider's own id. */
  readonly reference: string;
  readonly finding: VerificationFinding;
}

const TEXT_LENGTH_MAX = 500;

/**
 * Reads `{id, status, reason?, verifier?, evidence?, verifiedAt?, expiresAt?}`: `status` is `pending`, `refused` or `verified`, times are ISO 8601. Null for
 * anything else.
 */
export function readFinding(value: unknown): ToldFinding | null {
  if (typeof value !== 'object' || value === null) return null;
  const told = value as Readonly<Record<string, unknown>>;
  const reference = textOf(told.id);
  const finding = findingOf(told);
  return reference === null || finding === null ? null : { reference, finding };
}

function findingOf(told: Readonly<Record<string, unknown>>): VerificationFinding | null {
  switch (told.status) {
    case 'pending':
      return { type: 'pending' };
    case 'refused':
      return { type: 'refused', reason: textOf(told.reason) ?? 'refused' };
    case 'verified': {
      const verifier = textOf(told.verifier);
      const evidence = textOf(told.evidence);
      const verifiedAt = timeOf(told.verifiedAt);
      const isOpenEnded = told.expiresAt === undefined || told.expiresAt === null;
      const expiresAt = isOpenEnded ? null : timeOf(told.expiresAt);
      const isUnreadable = !isOpenEnded && expiresAt === null;
      if (verifier === null || evidence === null || verifiedAt === null || isUnreadable) return null;
      return { type: 'verified', verifier, evidence, verifiedAt, expiresAt };
    }
    default:
      return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX ? value : null;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}
