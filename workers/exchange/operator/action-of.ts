import { uuidv7 } from 'uuidv7';
import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { type AppContext, resourceIdOf, whoActs } from '../../middleware/app-env.ts';

/** The operator's action as the audit trail names it: one per Idempotency-Key, with why where that was stated. For routes registered as idempotent. */
export function actionOf(c: AppContext, reason?: string): OperatorAction {
  const action = { id: resourceIdOf(c), ...whoActs(c) };
  return reason === undefined ? action : { ...action, reason };
}

/** The same of a request that takes no Idempotency-Key: each is an action of its own. */
export function freshActionOf(c: AppContext): OperatorAction {
  return { id: uuidv7(), ...whoActs(c) };
}
