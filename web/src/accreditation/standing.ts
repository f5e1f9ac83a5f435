import type { AccreditationRecord, Verification } from './accreditation-queries.ts';

interface Facts {
  readonly accreditationStatus: string;
  readonly accreditationType: string | null;
}

/** How it is known that somebody is accredited, which decides what they may see and buy. */
export function standingOf({ accreditationStatus, accreditationType }: Facts): 'none' | 'self' | 'verified' {
  if (accreditationStatus !== 'completed') return 'none';
  return accreditationType === '506c' ? 'verified' : 'self';
}

/** Whether a record holds at a time. */
export function isInForce({ endedAt, expiresAt }: AccreditationRecord, now: number): boolean {
  return endedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}

/** Until when the standing lasts: the latest end among the records that it may rest on; null where one has none, or none holds. */
export function standingEnd(
  records: readonly AccreditationRecord[],
  standing: 'none' | 'self' | 'verified',
  now: number,
): string | null {
  const kind = standing === 'verified' ? 'third_party' : 'self_attestation';
  const ends = records
    .filter((record) => record.kind === kind && isInForce(record, now))
    .map(({ expiresAt }) => expiresAt);
  if (standing === 'none' || ends.includes(null)) return null;
  return ends.filter((end) => end !== null).reduce<string | null>((a, b) => (a !== null && a > b ? a : b), null);
}

/** One request at a time. */
export function isWaiting(verifications: readonly Verification[]): boolean {
  return verifications.some(({ state }) => state === 'REQUESTED' || state === 'IN_REVIEW');
}

export function toneOfVerification(state: Verification['state']): 'ok' | 'warn' | 'bad' | 'run' | 'none' {
  return (
    { IN_REVIEW: 'warn', REQUESTED: 'run', VERIFIED: 'ok', REFUSED: 'bad', REVOKED: 'bad', EXPIRED: 'none' } as const
  )[state];
}
