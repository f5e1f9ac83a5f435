import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type Database, database } from '../../data/database.ts';
import { findUser } from '../../data/identity/users.ts';
import {
  addNote,
  assignCase,
  closeCase,
  findCase,
  reopenCase,
  type ScaledCase,
  type SurveillanceCase,
} from '../../data/surveillance/surveillance-cases.ts';
import { holdsPower } from '../../domain/identity/powers.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type CaseOutcome, NOTES_PER_CASE_MAX } from '../../domain/surveillance/surveillance-case.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { peopleBehind } from '../identity/clients/people-behind.ts';

export type CaseAct =
  | { readonly type: 'note'; readonly text: string }
  /** To somebody who runs the venue; null to nobody. */
  | { readonly type: 'assign'; readonly assignee: string | null }
  | { readonly type: 'close'; readonly outcome: CaseOutcome; readonly reason: string }
  | { readonly type: 'reopen' };

export function noSuchCase(): ApiError {
  return apiError('NOT_FOUND', 'case does not exist');
}

/**
 * An operator acts on a case: as they have read it, where they say which version that was. A case about whoever acts, or about anybody who may stand behind their client, is
 * one that does not exist.
 */
export async function actOnCase(
  env: Pick<Env, 'DB'>,
  { id, version, act }: { readonly id: string; readonly version: number | null; readonly act: CaseAct },
  action: OperatorAction,
): Promise<Result<ScaledCase, ApiError>> {
  const db = database(env.DB);
  const viewers = await peopleBehind(db, action);
  const before = await findCase(db, id, viewers);
  if (before === null) return err(noSuchCase());
  const read = version === null ? before.found : { ...before.found, version };
  const refused = await takeAct(db, read, act, action);
  const now = (await findCase(db, id, viewers)) ?? before;
  if (refused === null) return ok(now);
  return err(refused === 'changed' ? changedMeanwhile(now.found) : refused);
}

/** Why it is not taken; `changed` where the case does not stand as it was read. */
async function takeAct(
  db: Database,
  read: SurveillanceCase,
  act: CaseAct,
  action: OperatorAction,
): Promise<ApiError | 'changed' | null> {
  const now = Date.now();
  switch (act.type) {
    case 'note':
      return (await addNote(db, read, act.text, action, now))
        ? null
        : apiError('CONFLICT', `a case takes ${NOTES_PER_CASE_MAX} notes`, { reason: 'too_many_notes' });
    case 'assign': {
      const refused = act.assignee === null ? null : await assigneeError(db, read, act.assignee);
      if (refused !== null) return refused;
      return (await assignCase(db, read, act.assignee, action, now)) ? null : 'changed';
    }
    case 'close':
      return (await closeCase(db, read, act, action, now)) ? null : 'changed';
    case 'reopen':
      return (await reopenCase(db, read, action, now)) ? null : 'changed';
  }
}

/** Only an active person who runs the venue, and whom it is not about, looks into a case. */
async function assigneeError(db: Database, { people }: SurveillanceCase, assignee: string): Promise<ApiError | null> {
  const user = await findUser(db, assignee);
  const mayAct =
    user !== null &&
    user.deactivatedAt === null &&
    !user.service &&
    holdsPower(user, 'run_venue') &&
    !people.includes(assignee);
  return mayAct
    ? null
    : apiError('VALIDATION_ERROR', 'assignee must be an active operator of the venue', { field: 'assignee' });
}

function changedMeanwhile({ state }: SurveillanceCase): ApiError {
  return apiError('CONFLICT', 'the case has changed, or is in another state: read it again', { state });
}
