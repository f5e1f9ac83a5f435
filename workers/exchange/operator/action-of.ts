import { uuidv7 } from 'uuidv7';
import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { type AppContext, principalOf, resourceIdOf } from '../../middleware/app-env.ts';

/** The operator's action as the audit trail names it: one per Idempotency-Key, with why where that was stated. For routes registered as idempotent. */
export function actionOf(c: AppContext, reason?: string): OperatorAction {
  const action = { id: resourceIdOf(c), actor: principalOf(c).userId, requestId: c.get('requestId') };
  return reason === undefined ? action : { ...action, reason };
}

/** The same of a request that takes no Idempotency-Key: each is an action of its own. */
export function freshActionOf(c: AppContext): OperatorAction {
  return { id: uuidv7(), actor: principalOf(c).userId, requestId: c.get('requestId') };
}
