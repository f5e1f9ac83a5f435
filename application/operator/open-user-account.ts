import { registerUser } from '../../data/accounts/accounts.ts';
import { organizationExists } from '../../data/accounts/organizations.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import type { ComplianceFacts } from '../../domain/accounts/account.ts';
import { EVENT_ROLES } from '../../domain/events/permissions.ts';
import type { Role } from '../../domain/identity/principal.ts';
import { PARTNER_ROLES } from '../../domain/partner/partner-organization.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { numberAsKept } from '../identity/one-time-code/number-as-kept.ts';

/** Roles that an operator gives. */
export const ROLES_OF_USERS = [
  'trader',
  'operator',
  'access_manager',
  'auditor',
  ...PARTNER_ROLES,
  ...EVENT_ROLES,
] as const satisfies readonly Role[];

/** What counts until it is proven. A US person until stated otherwise: the stricter rules apply. */
export const UNPROVEN: ComplianceFacts = {
  kycStatus: 'pending',
  accreditationStatus: 'none',
  accreditationType: null,
  usPerson: true,
  annualIncome: 0,
  netWorth: 0,
  frozen: false,
};

export interface Person {
  /** Organization id. */
  readonly owner: string;
  readonly name: string;
  readonly email: string;
  /** Username of the password grant; null for a service, and for a person who does not sign in. */
  readonly phone: string | null;
  readonly roles: readonly (typeof ROLES_OF_USERS)[number][];
  /** Made for machine clients: nobody signs in as it; false where it is left out. */
  readonly service?: boolean;
}

export interface OpenedAccount extends Person {
  /** Of the user and of the account. */
  readonly id: string;
  readonly service: boolean;
  readonly facts: ComplianceFacts;
}

/** Makes a user and the trading account that is theirs, which carries the user's id. What is not stated counts as not proven. */
export async function openUserAccount(
  env: Env,
  person: Person,
  stated: Partial<ComplianceFacts>,
  action: OperatorAction,
): Promise<Result<OpenedAccount, ApiError>> {
  const db = database(env.DB);
  if (!(await organizationExists(db, person.owner)))
    return err(apiError('NOT_FOUND', 'organization does not exist', { field: 'owner' }));
  const { service = false } = person;
  if (service && person.phone !== null)
    return err(apiError('VALIDATION_ERROR', 'nobody signs in as a service', { field: 'phone' }));
  const phone = person.phone === null ? null : await numberAsKept(db, person.phone);
  const user = { ...person, phone, service, roles: [...new Set(person.roles)] };
  const facts = { ...UNPROVEN, ...stated };
  const { id } = action;
  const created = await registerUser(db, { id, ...user, createdAt: Date.now() }, { id, ...facts }, action);
  if (!created) return err(apiError('CONFLICT', 'the phone number is taken', { field: 'phone' }));
  return ok({ id, ...user, facts });
}
