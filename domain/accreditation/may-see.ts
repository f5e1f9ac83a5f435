import { qualifies } from '../orders/eligibility.ts';
import { attributesOf, type InvestorFacts } from './attributes-of.ts';
import { type AccreditationTerms, requiresOf } from './requires-of.ts';

/**
 * Whether an asset may be shown to an investor, or to anyone when null. An offering under 506(b) must not be solicited
 * (17 CFR 230.502(c)), so only the self-certified or better may see it.
 */
export function maySee(asset: AccreditationTerms, facts: InvestorFacts | null): boolean {
  if (asset.accreditationType !== '506b') return true;
  return facts !== null && qualifies(requiresOf(asset), attributesOf(facts));
}
