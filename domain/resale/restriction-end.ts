import { addMonths } from '../calendar/add-months.ts';
import type { Offering } from './offering.ts';

const HOLD_MONTHS = 12;

/**
 * When a lot acquired from its issuer becomes freely tradeable (X-LIM-07, X-AEP-35 to X-AEP-38): 12 months under Regulation D and
 * Regulation Crowdfunding, 12 months for US persons under Regulation S, no hold under Regulation A and for retail securities.
 *
 * @returns Unix milliseconds, or null where there is no hold
 */
export function restrictionEnd(
  offering: Exclude<Offering, 'lockup'>,
  acquiredAt: number,
  usPerson: boolean,
): number | null {
  switch (offering) {
    case 'reg_d_506c':
    case 'reg_d_506b':
    case 'reg_cf':
      return addMonths(acquiredAt, HOLD_MONTHS);
    case 'reg_s':
      return usPerson ? addMonths(acquiredAt, HOLD_MONTHS) : null;
    case 'reg_a':
    case 'retail':
      return null;
  }
}
