import type { CheckKind } from './compliance.ts';
import type { ScreeningFinding } from './screening.ts';

/** Last words of names that fail a check, or leave it undecided. */
const FAILS: Readonly<Record<string, CheckKind>> = {
  unidentified: 'kyc',
  unregistered: 'kyb',
  sanctioned: 'sanctions_screening',
  notorious: 'adverse_media_screening',
  suspicious: 'transaction_monitoring',
  unaccredited: 'accreditation',
};
const UNDECIDED = 'undecided';

/** What the simulated provider finds: the last word of the name says it, so that the same request always gives the same finding. */
export function simulatedScreening(kind: CheckKind, name: string, requestedAt: number): ScreeningFinding {
  const last = name.trim().split(/\s+/).at(-1)?.toLowerCase() ?? '';
  if (last === UNDECIDED) return { type: 'pending' };
  if (FAILS[last] === kind) return { type: 'failed', reason: `simulated_${last}`, checkedAt: requestedAt };
  return { type: 'passed', checkedAt: requestedAt, expiresAt: null };
}
