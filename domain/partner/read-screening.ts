import type { ScreeningFinding } from './screening.ts';

/** What a provider says of one check. */
export interface ToldScreening {
  /** The provider's own id. */
  readonly reference: string;
  readonly finding: ScreeningFinding;
}

const TEXT_LENGTH_MAX = 500;

/** Reads `{id, status, reason?, checkedAt?, expiresAt?}`: `status` is `pending`, `failed` or `passed`, times are ISO 8601. Null for anything else. */
export function readScreening(value: unknown): ToldScreening | null {
  if (typeof value !== 'object' || value === null) return null;
  const told = value as Readonly<Record<string, unknown>>;
  const reference = textOf(told.id);
  const finding = findingOf(told);
  return reference === null || finding === null ? null : { reference, finding };
}

function findingOf(told: Readonly<Record<string, unknown>>): ScreeningFinding | null {
  if (told.status === 'pending') return { type: 'pending' };
  const checkedAt = timeOf(told.checkedAt);
  if (checkedAt === null) return null;
  if (told.status === 'failed') return { type: 'failed', reason: textOf(told.reason) ?? 'failed', checkedAt };
  if (told.status !== 'passed') return null;
  if (told.expiresAt === undefined || told.expiresAt === null) return { type: 'passed', checkedAt, expiresAt: null };
  const expiresAt = timeOf(told.expiresAt);
  return expiresAt === null ? null : { type: 'passed', checkedAt, expiresAt };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX ? value : null;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}
