import { DAY_MS } from '../calendar/durations.ts';
import type { ProviderUnavailable } from '../providers/provider-unavailable.ts';
import { err, ok, type Result } from '../result.ts';
import type { CheckKind, InvestorType } from './compliance.ts';

/** Whom a provider screens. */
interface ScreenedInvestor {
  readonly id: string;
  readonly name: string;
  readonly accountType: InvestorType;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** One check of one investor, as a provider gets it. */
interface ScreeningOrder {
  /** UUIDv7; the same on every repetition, another one each time that the check is made anew. */
  readonly id: string;
  readonly kind: CheckKind;
  readonly investor: ScreenedInvestor;
}

/** What a provider has found. Times are Unix milliseconds. */
export type ScreeningFinding =
  | { readonly type: 'pending' }
  | { readonly type: 'failed'; readonly reason: string; readonly checkedAt: number }
  /** `expiresAt` null: as long as a check of this kind speaks. */
  | { readonly type: 'passed'; readonly checkedAt: number; readonly expiresAt: number | null };

/** A third party that checks investors (docs/design/partner.md#compliance). */
export interface ScreeningProvider {
  readonly name: string;
  /**
   * Asks for a check, once for its id.
   *
   * @returns the provider's own id
   */
  request(order: ScreeningOrder): Promise<Result<string, ProviderUnavailable>>;
  /** Where it stands. */
  status(order: ScreeningOrder, reference: string): Promise<Result<ScreeningFinding, ProviderUnavailable>>;
}

/**
 * How long a check speaks at most: lists of sanctions and the news change by the day, and evidence of accreditation speaks for three months
 * (17 CFR 230.506(c)(2)(ii)).
 */
const VALID_DAYS_MAX: Readonly<Record<CheckKind, number>> = {
  kyc: 365,
  kyb: 365,
  sanctions_screening: 30,
  adverse_media_screening: 30,
  transaction_monitoring: 30,
  accreditation: 90,
};

/** A check is made anew so long before it ends, or at half of its life, so that its investor goes on trading while its provider works. */
export const RENEWED_BEFORE_MS = 3 * DAY_MS;

/** No check is made anew by itself so soon after it was last asked for. */
export const RENEWED_AGAIN_MS = DAY_MS / 2;

/** A request that its provider has not decided after so long is made anew, under another id. */
export const ANSWER_WAIT_MS = 30 * DAY_MS;

/** Clocks differ by so much. */
const CLOCKS_DIFFER_MS = 60_000;

/** What a finding makes of its check. */
export interface DecidedCheck {
  readonly status: 'passed' | 'failed';
  readonly checkedAt: number;
  readonly expiresAt: number | null;
  readonly reason: string | null;
}

/** A finding as a check keeps it; one from the future, or that has ended, is none. */
export function decidedBy(
  finding: Exclude<ScreeningFinding, { type: 'pending' }>,
  kind: CheckKind,
  now: number,
): Result<DecidedCheck, 'in_the_future' | 'ended'> {
  if (finding.checkedAt > now + CLOCKS_DIFFER_MS) return err('in_the_future');
  const checkedAt = Math.min(finding.checkedAt, now);
  if (finding.type === 'failed') return ok({ status: 'failed', checkedAt, expiresAt: null, reason: finding.reason });
  const latest = checkedAt + VALID_DAYS_MAX[kind] * DAY_MS;
  const expiresAt = finding.expiresAt === null ? latest : Math.min(finding.expiresAt, latest);
  return expiresAt <= now ? err('ended') : ok({ status: 'passed', checkedAt, expiresAt, reason: null });
}
