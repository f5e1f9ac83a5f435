import { uuidv7 } from 'uuidv7';
import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  changePartnerState,
  findPartnerOrganization,
  type PartnerOrganization,
} from '../../../data/partner/organizations.ts';
import { nextPartnerState } from '../../../domain/partner/organization-state.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { derivedId } from '../../identity/derived-id.ts';
import { checkRegistration } from './check-registrations.ts';
import { decidePartner, numberReleased } from './decide-partner.ts';

export interface NumberRelease {
  /** The transfer agent that has the number and is not its registrant. */
  readonly id: string;
  /** Whose application was refused for it, and is checked again; null for nobody. */
  readonly claimant: string | null;
  readonly reason: string;
}

/**
 * An operator puts a registration number right that the wrong agent has: that one is refused, and the claimant's registration is checked again. Once per
 * action; a repetition goes on where the first was cut off.
 */
export async function releaseNumber(
  env: Env,
  { id, claimant, reason }: NumberRelease,
  action: OperatorAction,
): Promise<Result<PartnerOrganization, ApiError>> {
  const db = database(env.DB);
  const given = claimant === null ? null : { ...action, id: await derivedId(action.id, claimant) };
  const isGiven = given !== null && claimant !== null && (await findOperatorChange(db, given, claimant)) !== null;
  if (claimant !== null && !isGiven) {
    const refused = await refusalOfClaimant(env, id, claimant);
    if (refused !== null) return err(refused);
  }
  const released = await decidePartner(env, { id, decision: 'release-number', reason }, action);
  if (!released.ok || given === null || claimant === null || isGiven) return released;
  const before = await findPartnerOrganization(db, claimant);
  if (before === null) return released;
  const change = { state: 'applied', reason: numberReleased(reason), type: 'operator.partner_number_given' } as const;
  const terms = { details: { reason, from: id }, verification: null, checkId: uuidv7(), now: Date.now() };
  if (!(await changePartnerState(db, before, { ...change, ...terms }, given)))
    return err(apiError('CONFLICT', 'the claimant has changed meanwhile: the number is free, have it checked again'));
  const applied = await findPartnerOrganization(db, claimant);
  if (applied !== null) await checkRegistration(env, applied);
  return ok(released.value);
}

async function refusalOfClaimant(env: Env, id: string, claimant: string): Promise<ApiError | null> {
  const db = database(env.DB);
  const [holder, claims] = [await findPartnerOrganization(db, id), await findPartnerOrganization(db, claimant)];
  if (claims === null) return apiError('NOT_FOUND', 'the claimant does not exist');
  const number = holder?.secRegistrationNumber ?? null;
  if (number === null || claims.organization === id || claims.secRegistrationNumber !== number)
    return apiError('CONFLICT', 'the claimant has not applied under this number', { reason: 'another_number' });
  const next = nextPartnerState(claims, 'recheck', Date.now());
  if (next.ok && claims.state === 'refused') return null;
  return apiError('CONFLICT', `a claimant that is ${claims.state} was not refused`, { reason: 'wrong_state' });
}
