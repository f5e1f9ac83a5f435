import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import { type InvestorCheck, listChecks, requestCheck } from '../../../data/partner/investor-checks.ts';
import type { Investor } from '../../../data/partner/investors.ts';
import { MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { createdAtOf } from '../../../domain/ids/created-at-of.ts';
import type { CheckKind } from '../../../domain/partner/compliance.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { nobodyScreens } from './introduce-investor.ts';
import { carryOnScreening } from './screen-investors.ts';
import { screeningProviderOf } from './screening-provider-of.ts';

/** A check is made anew no sooner after its last request: each costs its provider work. */
const REQUESTED_AGAIN_MS = MINUTE_MS;

/** Has a check of an investor made anew, under the action's id. What it found before stands until then. */
export async function rescreen(
  env: Env,
  investor: Investor,
  kind: CheckKind,
  action: OperatorAction,
): Promise<Result<InvestorCheck, ApiError>> {
  const db = database(env.DB);
  const provider = screeningProviderOf(env);
  if (provider === null) return err(nobodyScreens());
  const checkOf = async () => (await listChecks(db, investor.id)).find((check) => check.kind === kind);
  const check = await checkOf();
  if (check === undefined) return err(apiError('NOT_FOUND', 'no such check is made of this investor'));
  const now = Date.now();
  if (check.request !== action.id) {
    if (check.open) return err(requestOpen());
    if (now < createdAtOf(check.request) + REQUESTED_AGAIN_MS)
      return err(apiError('CONFLICT', 'the check was made a moment ago', { reason: 'too_soon' }));
    const started = { kind, request: action.id, provider: provider.name };
    if (!(await requestCheck(db, check, started, action, now))) return err(requestOpen());
  }
  await carryOnScreening(env, investor, now);
  return ok((await checkOf()) ?? check);
}

function requestOpen(): ApiError {
  return apiError('CONFLICT', 'the check is being made', { reason: 'open_request' });
}
