import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import {
  beginCheck,
  changePartnerState,
  listChecksDue,
  listExpiringRegistrations,
  listLapsedApplications,
  noteChecked,
  type PartnerOrganization,
} from '../../../data/partner/organizations.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { nextPartnerState } from '../../../domain/partner/organization-state.ts';
import type { RegistrationFinding } from '../../../domain/partner/registration-verifier.ts';
import { ok } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { eachAlone, failFor } from '../../log/each-alone.ts';
import { verifierOf } from './verifier-of.ts';

const DECISION_WAIT_DAYS = 30;
/** How long a finding counts, and how long before its end the next check begins. */
const FINDING_DAYS = 365;
const CHECKED_AGAIN_DAYS = 30;
const ASKED_AGAIN_MS = 4 * MINUTE_MS;
const PER_RUN_MAX = 50;

/** Every five minutes: verifiers are asked about open checks, registrations are checked anew or end, and applications lapse. */
export async function checkRegistrations(env: Env, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  const failure = 'a registration did not get on';
  const each = { idOf: ({ organization }: PartnerOrganization) => organization, failure };
  const expiring = await listExpiringRegistrations(db, now + CHECKED_AGAIN_DAYS * DAY_MS, PER_RUN_MAX);
  const unrenewed = await eachAlone(expiring, each, async (partner) => {
    if ((partner.verificationExpiresAt ?? 0) <= now) await happen(env, partner, 'registration_ended', null, now);
    else if (partner.checkId === null) await beginCheck(db, partner, uuidv7(), now);
  });
  const due = await listChecksDue(db, now - ASKED_AGAIN_MS, PER_RUN_MAX);
  const unchecked = await eachAlone(due, each, (partner) => checkRegistration(env, partner, now));
  const lapsing = await listLapsedApplications(db, now - DECISION_WAIT_DAYS * DAY_MS, PER_RUN_MAX);
  const unlapsed = await eachAlone(lapsing, each, (partner) => happen(env, partner, 'lapsed', null, now));
  failFor(failure, unrenewed, unchecked, unlapsed);
}

/** As far as the open check of a registration gets now; what fails is tried again by the next run. */
export async function checkRegistration(env: Env, partner: PartnerOrganization, now = Date.now()): Promise<void> {
  const { organization, checkId, secRegistrationNumber, firmName, contactEmail } = partner;
  if (checkId === null || secRegistrationNumber === null) return;
  const verifier = verifierOf(env);
  const { verificationProvider: known, verificationReference } = partner;
  const provider = verifier?.name ?? known;
  // One verifier's own id says nothing to another.
  const reference = provider === known ? verificationReference : null;
  await noteChecked(database(env.DB), partner, { provider, reference, now });
  if (verifier === null) return;
  const order = { id: checkId, secRegistrationNumber, firmName, contactEmail };
  const asked = reference === null ? await verifier.request(order) : ok(reference);
  if (!asked.ok) return log('warn', 'a registration was not asked about', { organization, ...asked.error });
  if (reference === null)
    await noteChecked(database(env.DB), partner, { provider: verifier.name, reference: asked.value, now });
  const finding = await verifier.status(order, asked.value);
  if (!finding.ok) return log('warn', 'a verifier does not say what it has found', { organization, ...finding.error });
  await takeFinding(env, { ...partner, verificationProvider: verifier.name }, finding.value, now);
}

async function takeFinding(
  env: Env,
  partner: PartnerOrganization,
  finding: RegistrationFinding,
  now: number,
): Promise<void> {
  switch (finding.type) {
    case 'pending':
      return;
    case 'refused':
      return happen(env, partner, 'not_verified', finding.reason, now);
    case 'number_verified':
    case 'verified':
      return happen(env, partner, finding.type, null, now);
  }
}

/** Reasons of what nobody decides. */
const REASON_OF = {
  verified: null,
  number_verified: null,
  not_verified: 'registration_not_verified',
  registration_ended: 'registration_ended',
  lapsed: 'lapsed',
} as const;

async function happen(
  env: Env,
  partner: PartnerOrganization,
  happening: keyof typeof REASON_OF,
  found: string | null,
  now: number,
): Promise<void> {
  const next = nextPartnerState(partner, happening, now);
  if (!next.ok) return;
  const isVerified = happening === 'verified' || happening === 'number_verified';
  const taken = await changePartnerState(
    database(env.DB),
    partner,
    {
      state: next.value,
      reason: found ?? (next.value === 'applied' ? partner.reason : REASON_OF[happening]),
      type: `partner.${happening}`,
      verification: isVerified
        ? { verifiedAt: now, expiresAt: now + FINDING_DAYS * DAY_MS }
        : happening === 'not_verified'
          ? endedVerification(partner)
          : null,
      isOneOfNumber: isVerified,
      checkId: null,
      now,
    },
    { id: uuidv7(), actor: `verifier:${partner.verificationProvider ?? 'none'}`, requestId: partner.organization },
  );
  if (taken || !isVerified) return;
  // Another agent is here under the number: whoever came second is not it.
  await changePartnerState(
    database(env.DB),
    partner,
    {
      state: partner.state === 'active' ? 'suspended' : 'refused',
      reason: 'number_taken',
      type: 'partner.not_verified',
      verification: endedVerification(partner),
      checkId: null,
      now,
    },
    { id: uuidv7(), actor: 'venue', requestId: partner.organization },
  );
}

/** What was found before counts no longer: nobody is reinstated or approved by it. */
function endedVerification({ verifiedAt }: PartnerOrganization) {
  return { verifiedAt, expiresAt: null };
}
