import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type AppContext, resourceIdOf, whoActs } from '../middleware/app-env.ts';

/** What a partner does, as its event names it: one per Idempotency-Key. For routes registered as idempotent. */
export function partnerActionOf(c: AppContext): OperatorAction {
  return { id: resourceIdOf(c), ...whoActs(c) };
}
