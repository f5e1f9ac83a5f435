import { and, asc, eq, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import type { PARTNER_STATES, PartnerRole } from '../../domain/partner/partner-organization.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { partnerOrganizations } from '../schema/partner.ts';

export type PartnerOrganization = Readonly<typeof partnerOrganizations.$inferSelect>;

type PartnerState = (typeof PARTNER_STATES)[number];

export async function findPartnerOrganization(db: Database, organization: string): Promise<PartnerOrganization | null> {
  const row = await db
    .select()
    .from(partnerOrganizations)
    .where(eq(partnerOrganizations.organization, organization))
    .get();
  return row ?? null;
}

/** Of these organizations, those that are active partners, with their role. */
export async function rolesOfActivePartners(
  db: Database,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, PartnerRole>> {
  const rows = await db
    .select({ organization: partnerOrganizations.organization, role: partnerOrganizations.role })
    .from(partnerOrganizations)
    .where(
      and(
        sql`${partnerOrganizations.organization} IN (SELECT value FROM json_each(${JSON.stringify(organizations)}))`,
        eq(partnerOrganizations.state, 'active'),
      ),
    );
  return new Map(rows.map(({ organization, role }) => [organization, role]));
}

/** Partners by id, after the last one of the page before. */
export function listPartners(
  db: Database,
  {
    state,
    role,
    after,
    limit,
  }: {
    readonly state: PartnerState | null;
    readonly role: PartnerRole | null;
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<PartnerOrganization[]> {
  return db
    .select()
    .from(partnerOrganizations)
    .where(
      and(
        state === null ? undefined : eq(partnerOrganizations.state, state),
        role === null ? undefined : eq(partnerOrganizations.role, role),
        after === null ? undefined : gt(partnerOrganizations.organization, after),
      ),
    )
    .orderBy(asc(partnerOrganizations.organization))
    .limit(limit);
}

export interface NewApplication {
  readonly organization: string;
  readonly name: string;
  readonly role: PartnerRole;
  readonly contactEmail: string;
  readonly crdNumber: string | null;
  readonly secRegistrationNumber: string | null;
  /** The user that its client speaks for. */
  readonly userId: string;
  readonly secretHash: string;
  /** Keyed hash of the address that it comes from. */
  readonly appliedFrom: string;
  readonly checkId: string | null;
  /** Unix milliseconds. */
  readonly now: number;
}

const DAY_MS = 86_400_000;

/** Stores an organization with its user, its client and its application, written down; false beyond the bounds. */
export function insertApplication(
  db: Database,
  application: NewApplication,
  { openMax, perAddressMax }: { readonly openMax: number; readonly perAddressMax: number },
  action: OperatorAction,
): Promise<boolean> {
  const { organization, name, role, contactEmail, crdNumber, secRegistrationNumber, userId, now } = application;
  const { secretHash, appliedFrom, checkId } = application;
  const state: PartnerState = 'applied';
  return changeOnce(db, {
    action,
    type: 'partner.applied',
    subject: organization,
    details: {},
    before: null,
    after: { name, role, contactEmail, crdNumber, secRegistrationNumber, state },
    now,
    when: sql`(SELECT count(*) FROM partner_organizations WHERE state = 'applied' AND role = ${role}) < CAST(${openMax} AS INTEGER)
              AND (SELECT count(*) FROM partner_organizations
                   WHERE applied_from = ${appliedFrom} AND created_at > CAST(${now - DAY_MS} AS INTEGER)) < CAST(${perAddressMax} AS INTEGER)`,
    writes: (takesPlace) => [
      sql`INSERT INTO organizations (id, name, created_at) SELECT ${organization}, ${name}, ${now} WHERE ${takesPlace}`,
      sql`INSERT INTO users (id, owner, phone, email, name, roles, service, created_at)
          SELECT ${userId}, ${organization}, NULL, ${contactEmail}, ${name}, ${JSON.stringify([role])}, 1, ${now} WHERE ${takesPlace}`,
      sql`INSERT INTO oauth_clients (id, owner, name, secret_hash, grants, user_id, created_at)
          SELECT ${organization}, ${organization}, ${name}, ${secretHash}, ${JSON.stringify(['client_credentials'])}, ${userId}, ${now}
          WHERE ${takesPlace}`,
      sql`INSERT INTO partner_organizations (organization, role, firm_name, crd_number, sec_registration_number, contact_email, state,
                                             applied_from, check_id, created_at, updated_at)
          SELECT ${organization}, ${role}, ${name}, ${crdNumber}, ${secRegistrationNumber}, ${contactEmail}, ${state}, ${appliedFrom},
                 ${checkId}, ${now}, ${now} WHERE ${takesPlace}`,
    ],
  });
}

/** When an address that has applied as often as it may applies again, Unix ms; null where it is not the address that keeps it from it. */
export async function addressMayApplyAt(
  db: Database,
  { appliedFrom, now }: Pick<NewApplication, 'appliedFrom' | 'now'>,
  perAddressMax: number,
): Promise<number | null> {
  const row = await db.get<{ at: number }>(sql`
    SELECT created_at AS at FROM partner_organizations
    WHERE applied_from = ${appliedFrom} AND created_at > CAST(${now - DAY_MS} AS INTEGER)
    ORDER BY created_at DESC LIMIT 1 OFFSET CAST(${perAddressMax - 1} AS INTEGER)`);
  return row === undefined ? null : row.at + DAY_MS;
}

export interface PartnerChange {
  readonly state: PartnerState;
  readonly reason: string | null;
  /** Of its event. */
  readonly type: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What was found of its registration, or that it counts no longer; null leaves it as it is. */
  readonly verification: { readonly verifiedAt: number | null; readonly expiresAt: number | null } | null;
  /** Whether it takes place only while no other agent has the number. */
  readonly isOneOfNumber?: boolean;
  /** The check that is open from here on; null for none. */
  readonly checkId: string | null;
  readonly now: number;
}

/**
 * Changes the state of a partner, written down with what it was. False when it has changed since it was read, or another transfer agent has its number
 * where that is asked.
 */
export function changePartnerState(
  db: Database,
  partner: PartnerOrganization,
  { state, reason, type, details = {}, verification, isOneOfNumber = false, checkId, now }: PartnerChange,
  action: OperatorAction,
): Promise<boolean> {
  const { organization } = partner;
  const isFound =
    verification === null
      ? sql``
      : sql`, verified_at = ${verification.verifiedAt}, verification_expires_at = ${verification.expiresAt}`;
  const isAlone = isOneOfNumber ? sql`NOT EXISTS (SELECT 1 ${holderOfNumber(partner)})` : sql`TRUE`;
  return changeOnce(db, {
    action,
    type,
    subject: organization,
    details,
    before: { state: partner.state, reason: partner.reason },
    after: { state, reason },
    now,
    when: sql`EXISTS (SELECT 1 FROM partner_organizations WHERE organization = ${organization} AND state = ${partner.state}
                      AND check_id IS ${partner.checkId}) AND ${isAlone}`,
    writes: (takesPlace) => [
      sql`UPDATE partner_organizations
          SET state = ${state}, reason = ${reason}, check_id = ${checkId}, verification_reference = NULL, updated_at = ${now},
              checked_at = ${checkId === null ? sql`checked_at` : null}${isFound}
          WHERE organization = ${organization} AND ${takesPlace}`,
    ],
  });
}

/** Whoever is active or suspended under its number has that; at most one does. */
function holderOfNumber({ organization, secRegistrationNumber }: PartnerOrganization): SQL {
  return sql`FROM partner_organizations WHERE organization <> ${organization}
    AND sec_registration_number = ${secRegistrationNumber} AND state IN ('active', 'suspended')`;
}

/** The other transfer agent that has its number, or null. */
export async function otherAgentOfNumber(db: Database, partner: PartnerOrganization): Promise<string | null> {
  const row = await db.get<{ organization: string }>(sql`SELECT organization ${holderOfNumber(partner)} LIMIT 1`);
  return row?.organization ?? null;
}

/** A check begins of a registration that is still in force. */
export async function beginCheck(
  db: Database,
  { organization }: PartnerOrganization,
  checkId: string,
  now: number,
): Promise<void> {
  await db.run(sql`
    UPDATE partner_organizations SET check_id = ${checkId}, verification_reference = NULL, checked_at = NULL, updated_at = ${now}
    WHERE organization = ${organization} AND state = 'active' AND check_id IS NULL`);
}

/** When and whom the open check was last asked of. */
export async function noteChecked(
  db: Database,
  { organization, checkId }: PartnerOrganization,
  {
    provider,
    reference,
    now,
  }: { readonly provider: string | null; readonly reference: string | null; readonly now: number },
): Promise<void> {
  await db.run(sql`
    UPDATE partner_organizations
    SET checked_at = ${now}, verification_provider = ${provider}, verification_reference = ${reference}
    WHERE organization = ${organization} AND check_id = ${checkId}`);
}

/** Partners with an open check that was not asked about since, those that wait longest first. */
export function listChecksDue(db: Database, askedBefore: number, limit: number): Promise<PartnerOrganization[]> {
  return db
    .select()
    .from(partnerOrganizations)
    .where(
      and(
        isNotNull(partnerOrganizations.checkId),
        lte(sql`coalesce(${partnerOrganizations.checkedAt}, 0)`, askedBefore),
      ),
    )
    .orderBy(sql`coalesce(${partnerOrganizations.checkedAt}, 0)`)
    .limit(limit);
}

/** Active transfer agents whose registration must be found right again by then. */
export function listExpiringRegistrations(db: Database, by: number, limit: number): Promise<PartnerOrganization[]> {
  const { state, verificationExpiresAt } = partnerOrganizations;
  return db
    .select()
    .from(partnerOrganizations)
    .where(and(eq(state, 'active'), lte(verificationExpiresAt, by)))
    .orderBy(verificationExpiresAt)
    .limit(limit);
}

/** Applications from before that nobody has decided. */
export function listLapsedApplications(db: Database, before: number, limit: number): Promise<PartnerOrganization[]> {
  const { state, updatedAt } = partnerOrganizations;
  return db
    .select()
    .from(partnerOrganizations)
    .where(and(eq(state, 'applied'), lte(updatedAt, before)))
    .orderBy(updatedAt)
    .limit(limit);
}
