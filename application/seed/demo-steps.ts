import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { insertApplication, type NewApplication } from '../../data/partner/organizations.ts';
import type { Result } from '../../domain/result.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { demoId } from './demo-partners.ts';

export const OPERATOR = 'olivia';
/** Where the ids of the demo's actions begin: far from those of what they make. */
export const ACTIONS = 0x1000;

/** The user that the machine client of an organization speaks for is called as its application. */
export async function apply(
  env: Env,
  application: Omit<NewApplication, 'userId' | 'secretHash' | 'appliedFrom'>,
  secret: string,
  step: number,
): Promise<void> {
  const action = actionOf(step, demoId(ACTIONS + step));
  const of = { userId: action.actor, secretHash: await sha256Hex(secret), appliedFrom: 'demo' };
  const bounds = { openMax: Number.MAX_SAFE_INTEGER, perAddressMax: Number.MAX_SAFE_INTEGER };
  if (!(await insertApplication(database(env.DB), { ...application, ...of }, bounds, action)))
    throw new Error(`demo: ${application.name} could not apply`);
}

export function actionOf(step: number, actor: string): OperatorAction {
  return { id: demoId(ACTIONS + 0x100 + step), actor, requestId: 'demo' };
}

/** @throws Error where a step was refused: the demo is never half there */
export function done<Value>(what: string, result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`demo: ${what}: ${JSON.stringify(result.error)}`);
  return result.value;
}
