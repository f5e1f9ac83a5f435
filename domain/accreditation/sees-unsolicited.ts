import type { InvestorFacts } from './attributes-of.ts';
import { maySee } from './may-see.ts';

/** Whether the assets under 506(b), all alike, may be shown to an investor, or to anyone when null: what a listing asks once. */
export function seesUnsolicited(facts: InvestorFacts | null): boolean {
  return maySee({ accreditationType: '506b', category: 'privates' }, facts);
}
