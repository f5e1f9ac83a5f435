import { uuidv7 } from 'uuidv7';
import { decidePartner } from '../../application/partner/registration/decide-partner.ts';
import { listSecurity, submitSecurity } from '../../application/partner/securities/change-security.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { insertApplication, type NewApplication } from '../../data/partner/organizations.ts';
import type { Result } from '../../domain/result.ts';

const APPLICATIONS = { openMax: 1_000, perAddressMax: 1_000 };

/** What somebody of a bench does, once. */
export function benchAction(): OperatorAction {
  return { id: uuidv7(), actor: 'bench', requestId: 'bench' };
}

/** @throws Error where a step of a bench was refused */
export function done<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`bench: ${JSON.stringify(result.error)}`);
  return result.value;
}

type Registration = Pick<NewApplication, 'organization' | 'role' | 'crdNumber' | 'secRegistrationNumber' | 'checkId'>;

export async function apply(env: Env, registration: Registration): Promise<void> {
  const of = { name: registration.organization, contactEmail: 'bench@example.com', userId: uuidv7() };
  const application = { ...registration, ...of, secretHash: 'none', appliedFrom: 'bench', now: Date.now() };
  await insertApplication(database(env.DB), application, APPLICATIONS, benchAction());
}

/** A cross-lister whom an operator has approved. */
export async function becomeLister(env: Env, organization: string): Promise<void> {
  await apply(env, {
    organization,
    role: 'cross_lister',
    crdNumber: '123456',
    secRegistrationNumber: null,
    checkId: null,
  });
  done(await decidePartner(env, { id: organization, decision: 'approve', reason: 'bench' }, benchAction()));
}

/** A security of a lister on its book against USD, for anybody. @returns its id */
export async function listedSecurity(
  env: Env,
  organization: string,
  { symbol, transferAgent }: { readonly symbol: string; readonly transferAgent: string | null },
): Promise<string> {
  const submission = benchAction();
  const security = {
    organization,
    assetName: symbol,
    assetType: 'private_security',
    securityClass: 'common_stock',
    shareClass: 'A',
    issuerId: symbol,
    issuerName: symbol,
    issuerType: 'private_corporation',
    cusip: null,
    isin: null,
    currency: 'USD',
    lastValuationPrice: 100_000,
    lastValuationDate: '2026-06-30',
    restrictions: {
      legendRequired: false,
      rule144HoldingPeriodMet: false,
      transferRestrictions: 'none',
      lockUpExpiryDate: null,
    },
    transferAgent,
  } as const;
  done(await submitSecurity(env, security, submission));
  const listing = {
    symbol,
    scale: 0,
    regulation: 'retail',
    accreditationType: null,
    priceScale: 2,
    tickSize: 0.01,
    lotSize: 1,
    minSize: 1,
    maxSize: 1_000_000,
    makerFeeBps: 0,
    takerFeeBps: 0,
  } as const;
  done(await listSecurity(env, { id: submission.id, listing, reason: 'bench' }, benchAction()));
  return submission.id;
}
