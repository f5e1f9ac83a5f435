import { addMonths } from '../calendar/add-months.ts';
import type { Offering } from './offering.ts';

const HOLD_MONTHS = 12;

/**
 * When a lot acquired from its issuer becomes freely tradeable (X-LIM-07, X-AEP-35 to X-AEP-38): after 12 months under Regulation D,
 * Regulation Crowdfunding and Regulation S, at once under Regulation A and for retail securities. Under Regulation S it is the end of the
 * distribution compliance period (17 CFR 230.903(b)(3)), whoever holds the lot: until then it must not come to a US person.
 *
 * @returns Unix milliseconds, or null where there is no hold
 */
export function restrictionEnd(offering: Exclude<Offering, 'lockup'>, acquiredAt: number): number | null {
  switch (offering) {
    case 'reg_d_506c':
    case 'reg_d_506b':
    case 'reg_cf':
    case 'reg_s':
      return addMonths(acquiredAt, HOLD_MONTHS);
    case 'reg_a':
    case 'retail':
      return null;
  }
}
