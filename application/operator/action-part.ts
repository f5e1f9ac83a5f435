import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';

/** A UUIDv7 begins with its time, in 12 hexadecimal digits. */
const TIME_LENGTH = 13;

/**
 * A part of an action that has an id and an entry of its own, such as the halt of one of several markets: the same on every repetition, in
 * the order of time beside its action's. Once the action is done, its parts follow, also where a kill switch has ended its token since.
 */
export async function actionPart(
  { tokenIssuedAt: _, ...action }: OperatorAction,
  name: string,
): Promise<OperatorAction> {
  const hash = await sha256Hex(`${action.id} ${name}`);
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 3) | 8).toString(16);
  const rest = `7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
  return { ...action, id: `${action.id.slice(0, TIME_LENGTH)}-${rest}` };
}
