import { uuidv7 } from 'uuidv7';
import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { type Database, database } from '../../../data/database.ts';
import {
  changePartnerState,
  findPartnerOrganization,
  otherAgentOfNumber,
  type PartnerOrganization,
} from '../../../data/partner/organizations.ts';
import {
  nextPartnerState,
  type PartnerAction,
  type PartnerStateFailure,
} from '../../../domain/partner/organization-state.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { reexamineKeysOf } from '../investors/investor-keys.ts';
import { wakeEndpoints } from '../webhooks/manage-endpoints.ts';
import { checkRegistration } from './check-registrations.ts';

/** An operator of the venue decides about a partner, once per action. */
export async function decidePartner(
  env: Env,
  { id, decision, reason }: { readonly id: string; readonly decision: PartnerAction; readonly reason: string },
  action: OperatorAction,
): Promise<Result<PartnerOrganization, ApiError>> {
  const db = database(env.DB);
  const partner = await findPartnerOrganization(db, id);
  if (partner === null) return err(apiError('NOT_FOUND', 'partner does not exist'));
  if ((await findOperatorChange(db, action, id)) !== null) {
    await reexamineKeysOf(env, id);
    return ok(partner);
  }
  const now = Date.now();
  const next = nextPartnerState(partner, decision, now);
  if (!next.ok) return err(refusal(next.error));
  const isGood = next.value === 'active' || next.value === 'applied';
  const isReleased = decision === 'release-number';
  const changed = await changePartnerState(
    db,
    partner,
    {
      state: next.value,
      reason: isGood ? null : isReleased ? numberReleased(reason) : reason,
      type: `operator.partner_${PAST[decision]}`,
      details: { reason },
      // Its trades' messages no longer call it registered under the number.
      verification: isReleased ? { verifiedAt: null, expiresAt: null } : null,
      isOneOfNumber: decision === 'approve',
      checkId: decision === 'recheck' ? uuidv7() : null,
      now,
    },
    action,
  );
  if (!changed) return err(await whyUnchanged(db, partner, decision));
  await reexamineKeysOf(env, id);
  // What has waited goes out, or what is being sent stops.
  await wakeEndpoints(env, id);
  const decided = (await findPartnerOrganization(db, id)) ?? partner;
  if (decision !== 'recheck') return ok(decided);
  await checkRegistration(env, decided);
  return ok((await findPartnerOrganization(db, id)) ?? decided);
}

const PAST: Readonly<Record<PartnerAction, string>> = {
  approve: 'approved',
  refuse: 'refused',
  suspend: 'suspended',
  reinstate: 'reinstated',
  recheck: 'rechecked',
  'release-number': 'number_released',
};

/** What both partners are told whose number an operator has put right. */
export function numberReleased(reason: string): string {
  return `number_released: ${reason}`;
}

async function whyUnchanged(db: Database, partner: PartnerOrganization, decision: PartnerAction): Promise<ApiError> {
  const agent = decision === 'approve' ? await otherAgentOfNumber(db, partner) : null;
  if (agent === null) return apiError('CONFLICT', 'the partner has changed meanwhile: read it again');
  const message = 'another transfer agent has this number: if it is not the registrant, release the number from it';
  return apiError('CONFLICT', message, { reason: 'number_taken', agent });
}

function refusal(failure: PartnerStateFailure): ApiError {
  switch (failure.reason) {
    case 'wrong_state':
      return apiError('CONFLICT', `a partner that is ${failure.from} does not become that`, { ...failure });
    case 'registration_being_checked':
      return apiError('CONFLICT', 'the registration is being checked', { ...failure });
    case 'no_registration':
      return apiError('CONFLICT', 'a cross-lister has no registration that is checked', { ...failure });
    case 'registration_not_in_force':
      return apiError('CONFLICT', 'the registration is not in force: have it checked again', { ...failure });
  }
}
