import { addMonths } from '../calendar/add-months.ts';
import type { Offering } from './offering.ts';
import { HOLD_PERIODS, holdOf } from './restriction-rules.ts';

/**
 * When a lot acquired from its issuer becomes freely tradeable (X-LIM-07, X-AEP-35 to X-AEP-38), by the months of its hold period. Under
 * Regulation S it is the end of the distribution compliance period, whoever holds the lot: until then it must not come to a US person.
 *
 * @returns Unix milliseconds, or null where there is no hold
 */
export function restrictionEnd(offering: Exclude<Offering, 'lockup'>, acquiredAt: number): number | null {
  const hold = holdOf(offering);
  const months = hold === null ? null : HOLD_PERIODS[hold].months;
  return months === null ? null : addMonths(acquiredAt, months);
}
