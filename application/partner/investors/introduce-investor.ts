import { uuidv7 } from 'uuidv7';
import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  ACCOUNTS_MAX,
  findInvestor,
  INVESTORS_MAX,
  type Investor,
  registerInvestor,
  registerInvestorAccount,
} from '../../../data/partner/investors.ts';
import { checksOf } from '../../../domain/partner/compliance.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { carryOnScreening } from './screen-investors.ts';
import { screeningProviderOf } from './screening-provider-of.ts';

export type IntroducedInvestor = Pick<Investor, 'organization' | 'name' | 'accountType' | 'country' | 'usPerson'>;

/**
 * Introduces an investor, whose id is the action's: written down with the checks that it takes before their provider is asked, so that what a crash cuts short
 * goes on by itself.
 */
export async function introduceInvestor(
  env: Env,
  introduced: IntroducedInvestor,
  action: OperatorAction,
): Promise<Result<Investor, ApiError>> {
  const provider = screeningProviderOf(env);
  if (provider === null) return err(nobodyScreens());
  const db = database(env.DB);
  const investor = { ...introduced, id: action.id, createdAt: Date.now() };
  const checks = checksOf(introduced.accountType).map((kind) => ({ kind, request: uuidv7(), provider: provider.name }));
  if (!(await registerInvestor(db, investor, checks, action)))
    return err(apiError('CONFLICT', 'the organization has as many investors as it may', { limit: INVESTORS_MAX }));
  const registered = await findInvestor(db, action.id);
  if (registered === null) throw new Error(`investor ${action.id} was registered and is not there`);
  await carryOnScreening(env, registered);
  return ok(registered);
}

/** Opens an account of an investor, whose id is the action's. What the compliance record makes of it follows before this answers, or by itself. */
export async function openInvestorAccount(
  env: Env,
  investor: Investor,
  action: OperatorAction,
): Promise<Result<{ readonly id: string }, ApiError>> {
  const account = { id: action.id, createdAt: Date.now() };
  if (!(await registerInvestorAccount(database(env.DB), investor, account, action)))
    return err(apiError('CONFLICT', 'the investor has as many accounts as it may', { limit: ACCOUNTS_MAX }));
  await carryOnScreening(env, investor);
  return ok(account);
}

export function nobodyScreens(): ApiError {
  return apiError('SERVICE_UNAVAILABLE', 'nobody checks investors here', { reason: 'no_provider' });
}
