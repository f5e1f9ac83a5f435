import type { Corrector } from '../../../application/events/corrections/corrector.ts';
import { type AppContext, principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { tenancyOf } from '../tenancy.ts';

/** Who corrects, on a route registered as idempotent. */
export function correctorOf(c: AppContext, reason: string): Corrector {
  return { id: resourceIdOf(c), tenant: tenancyOf(c).tenant, actor: principalOf(c).userId, reason };
}
