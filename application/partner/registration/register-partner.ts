import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import {
  addressMayApplyAt,
  findPartnerOrganization,
  insertApplication,
  type PartnerOrganization,
} from '../../../data/partner/organizations.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import type { PartnerRole } from '../../../domain/partner/partner-organization.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { addressHashOf } from '../../identity/one-time-code/code-hash.ts';
import { randomSecret } from '../../identity/random-secret.ts';
import { sha256Hex } from '../../identity/sha256-hex.ts';
import { checkRegistration } from './check-registrations.ts';

/** Applications of one role that wait for a decision, of all addresses, and those of one address in 24 hours. */
const OPEN_APPLICATIONS_MAX = 1_000;
const APPLICATIONS_PER_ADDRESS_MAX = 5;

export interface Application {
  readonly name: string;
  readonly role: PartnerRole;
  readonly contactEmail: string;
  /** Of a cross-lister; null of an agent, and the other way round. */
  readonly crdNumber: string | null;
  readonly secRegistrationNumber: string | null;
}

export interface Applied {
  readonly partner: PartnerOrganization;
  readonly clientId: string;
  /** Nothing shows it again. */
  readonly clientSecret: string;
}

interface ApplicationRefused {
  readonly error: ApiError;
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number;
}

async function refusalOf(
  env: Pick<Env, 'DB'>,
  from: { readonly appliedFrom: string; readonly now: number },
): Promise<ApplicationRefused> {
  const at = await addressMayApplyAt(database(env.DB), from, APPLICATIONS_PER_ADDRESS_MAX);
  if (at === null)
    return {
      error: apiError(
        'RATE_LIMIT_EXCEEDED',
        'too many applications of this role wait for a decision; please try another day',
        {
          reason: 'role',
          limit: OPEN_APPLICATIONS_MAX,
        },
      ),
      // Operators decide; or the oldest of them lapse.
      retryAfter: DAY_MS / 1_000,
    };
  return {
    error: apiError(
      'RATE_LIMIT_EXCEEDED',
      `an address applies ${APPLICATIONS_PER_ADDRESS_MAX} times in 24 hours; a local system, which has one address, forgets with npm run reset`,
      { reason: 'address', limit: APPLICATIONS_PER_ADDRESS_MAX, hours: 24 },
    ),
    retryAfter: Math.max(1, Math.ceil((at - from.now) / 1_000)),
  };
}

/**
 * An organization applies to be a partner (P-AUT-01): it gets a user of its role and a machine client that speaks for that user. Tokens hold from here
 * on; what they open waits for a decision (docs/design/partner.md#organizations).
 */
export async function registerPartner(
  env: Env,
  application: Application,
  { clientAddress, requestId }: { readonly clientAddress: string; readonly requestId: string },
): Promise<Result<Applied, ApplicationRefused>> {
  const db = database(env.DB);
  const organization = uuidv7();
  const userId = uuidv7();
  const clientSecret = randomSecret();
  const appliedFrom = await addressHashOf('partner application', clientAddress, env);
  const now = Date.now();
  const made = await insertApplication(
    db,
    {
      ...application,
      organization,
      userId,
      secretHash: await sha256Hex(clientSecret),
      appliedFrom,
      checkId: application.role === 'transfer_agent' ? uuidv7() : null,
      now,
    },
    { openMax: OPEN_APPLICATIONS_MAX, perAddressMax: APPLICATIONS_PER_ADDRESS_MAX },
    { id: uuidv7(), actor: userId, requestId },
  );
  if (!made) return err(await refusalOf(env, { appliedFrom, now }));
  const added = await findPartnerOrganization(db, organization);
  if (added === null) throw new Error(`application ${organization} is not stored`);
  await checkRegistration(env, added);
  const partner = (await findPartnerOrganization(db, organization)) ?? added;
  return ok({ partner, clientId: organization, clientSecret });
}
