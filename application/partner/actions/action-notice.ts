import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import { findNotice, storeNotice } from '../../../data/partner/actions/action-notice.ts';
import { type ActionNotice, noticeOf } from '../../../domain/corporate-actions/action-notice.ts';
import type { ActionsEnv } from './actions-env.ts';

/** How long before its effect an action is announced: as operators have set it, else as the deployment says. */
export async function readNotice(env: ActionsEnv): Promise<ActionNotice> {
  const { ACTION_NOTICE_SHARES_HOURS: shares, ACTION_NOTICE_OTHER_HOURS: other } = env;
  return (await findNotice(database(env.DB))) ?? noticeOf(shares, other);
}

/** An operator sets it, for actions that are announced from here on. */
export async function setNotice(env: ActionsEnv, notice: ActionNotice, action: OperatorAction): Promise<ActionNotice> {
  await storeNotice(database(env.DB), notice, { before: await readNotice(env), now: Date.now() }, action);
  return readNotice(env);
}
