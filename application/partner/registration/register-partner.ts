import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import {
  findPartnerOrganization,
  insertApplication,
  type PartnerOrganization,
} from '../../../data/partner/organizations.ts';
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

/**
 * An organization applies to be a partner (P-AUT-01): it gets a user of its role and a machine client that speaks for that user. Tokens hold from here
 * on; what they open waits for a decision (docs/design/partner.md#organizations).
 */
export async function registerPartner(
  env: Env,
  application: Application,
  { clientAddress, requestId }: { readonly clientAddress: string; readonly requestId: string },
): Promise<Result<Applied, ApiError>> {
  const db = database(env.DB);
  const organization = uuidv7();
  const userId = uuidv7();
  const clientSecret = randomSecret();
  const made = await insertApplication(
    db,
    {
      ...application,
      organization,
      userId,
      secretHash: await sha256Hex(clientSecret),
      appliedFrom: await addressHashOf('partner application', clientAddress, env),
      checkId: application.role === 'transfer_agent' ? uuidv7() : null,
      now: Date.now(),
    },
    { openMax: OPEN_APPLICATIONS_MAX, perAddressMax: APPLICATIONS_PER_ADDRESS_MAX },
    { id: uuidv7(), actor: userId, requestId },
  );
  if (!made)
    return err(
      apiError(
        'RATE_LIMIT_EXCEEDED',
        'too many applications of this role or from this address; please try another day',
      ),
    );
  const added = await findPartnerOrganization(db, organization);
  if (added === null) throw new Error(`application ${organization} is not stored`);
  await checkRegistration(env, added);
  const partner = (await findPartnerOrganization(db, organization)) ?? added;
  return ok({ partner, clientId: organization, clientSecret });
}
