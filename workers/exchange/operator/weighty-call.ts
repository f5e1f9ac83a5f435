import { weighCall } from '../../../application/operator/approvals/second-operator.ts';
import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { isKeyId } from '../../../domain/identity/key-id.ts';
import { ownId } from '../../../domain/identity/own-id.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';

/** Names the approval of a second operator that a call is made under. */
const APPROVAL_HEADER = 'x-operator-approval';

/**
 * Why a call that moves money or gives rights is not made now, or null.
 *
 * @param body as it was validated
 * @param always whether it takes two operators whatever the venue asks for
 */
export function weigh(c: AppContext, body: unknown, action: OperatorAction, always = false): Promise<ApiError | null> {
  const named = c.req.header(APPROVAL_HEADER);
  const approval = named === undefined ? null : isKeyId(ownId(named)) ? ownId(named) : 'malformed';
  const call = `${c.req.method} ${new URL(c.req.url).pathname}`;
  return weighCall(c.env, { call, body, approval, always }, action);
}
