import { and, asc, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import type { PartnerRole } from '../../domain/partner/partner-organization.ts';
import type { SecurityState } from '../../domain/partner/security.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import { columnOf } from '../column-of.ts';
import type { Database } from '../database.ts';
import { securities } from '../schema/partner.ts';

/** A cross-listed security as it is stored. */
export type Security = Readonly<typeof securities.$inferSelect>;

/** Whose securities somebody sees: a lister its own, a transfer agent those that name it. */
export interface SecuritiesOf {
  readonly organization: string;
  readonly role: PartnerRole;
}

export interface SecuritiesPage {
  readonly state: SecurityState | null;
  /** Id of the last one of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** Securities by id: the partner's, or (null) all. */
export function listSecurities(db: Database, partner: SecuritiesOf | null, page: SecuritiesPage): Promise<Security[]> {
  return db
    .select()
    .from(securities)
    .where(
      and(
        partner === null ? undefined : ownedBy(partner),
        page.state === null ? undefined : eq(securities.state, page.state),
        page.after === null ? undefined : gt(securities.id, page.after),
      ),
    )
    .orderBy(asc(securities.id))
    .limit(page.limit);
}

export async function findSecurity(db: Database, id: string): Promise<Security | null> {
  return (await db.select().from(securities).where(eq(securities.id, id)).get()) ?? null;
}

/** Securities by id; those that are not there are left out. */
export async function findSecurities(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Security>> {
  const rows = await db
    .select()
    .from(securities)
    .where(sql`${securities.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** One of the partner's securities, or null: another's is not there. */
export async function findSecurityOf(db: Database, partner: SecuritiesOf, id: string): Promise<Security | null> {
  const row = await db
    .select()
    .from(securities)
    .where(and(eq(securities.id, id), ownedBy(partner)))
    .get();
  return row ?? null;
}

/** Whether the venue has a market for the security, whoever has brought it. */
export async function isListedSecurity(db: Database, id: string): Promise<boolean> {
  const onVenue = and(eq(securities.id, id), or(eq(securities.state, 'listed'), eq(securities.state, 'halted')));
  return (await db.select({ id: securities.id }).from(securities).where(onVenue).get()) !== undefined;
}

function ownedBy({ organization, role }: SecuritiesOf) {
  if (role === 'cross_lister') return eq(securities.organization, organization);
  return and(
    eq(securities.transferAgent, organization),
    or(eq(securities.agentState, 'proposed'), eq(securities.agentState, 'accepted')),
  );
}

/** Markets of these securities, of those that are listed, by their id. */
export async function marketsOfListed(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await findSecurities(db, ids);
  return new Map(
    [...found].flatMap(([id, { state, market }]) =>
      state === 'listed' && market !== null ? [[id, market] as const] : [],
    ),
  );
}

export type NewSecurity = Pick<
  Security,
  | 'organization'
  | 'assetName'
  | 'assetType'
  | 'securityClass'
  | 'shareClass'
  | 'issuerId'
  | 'issuerName'
  | 'issuerType'
  | 'cusip'
  | 'isin'
  | 'currency'
  | 'lastValuationPrice'
  | 'lastValuationDate'
  | 'restrictions'
  | 'transferAgent'
>;

const NEW_COLUMNS = [
  'organization',
  'assetName',
  'assetType',
  'securityClass',
  'shareClass',
  'issuerId',
  'issuerName',
  'issuerType',
  'cusip',
  'isin',
  'currency',
  'lastValuationPrice',
  'lastValuationDate',
  'restrictions',
  'transferAgent',
] as const satisfies readonly (keyof NewSecurity)[];

/** Stores a security under the id of the action, written down; false where the lister has `openMax` that are neither refused nor delisted. */
export function insertSecurity(
  db: Database,
  security: NewSecurity,
  { openMax, now }: { readonly openMax: number; readonly now: number },
  action: OperatorAction,
): Promise<boolean> {
  const names = NEW_COLUMNS.map((column) => sql.identifier(columnOf(column)));
  const values = NEW_COLUMNS.map((column) => sql`${bound(security[column])}`);
  const agentState = security.transferAgent === null ? null : 'proposed';
  return changeOnce(db, {
    action,
    type: 'security.submitted',
    subject: action.id,
    details: {},
    before: null,
    after: { ...security, state: 'submitted' },
    now,
    when: sql`(SELECT count(*) FROM securities WHERE organization = ${security.organization}
               AND state NOT IN ('refused', 'delisted')) < CAST(${openMax} AS INTEGER)`,
    writes: (takesPlace) => [
      sql`INSERT INTO securities (id, state, agent_state, created_at, updated_at, ${sql.join(names, sql`, `)})
          SELECT ${action.id}, 'submitted', ${agentState}, ${now}, ${now}, ${sql.join(values, sql`, `)} WHERE ${takesPlace}`,
    ],
  });
}

const CHANGED_COLUMNS = [
  'state',
  'reason',
  'haltedBy',
  'delistedBy',
  'lastValuationPrice',
  'lastValuationDate',
  'restrictions',
  'agentRestrictions',
  'transferAgent',
  'agentState',
  'agentReason',
  'symbol',
  'market',
  'pending',
] as const;

export interface SecurityChange {
  readonly change: Partial<Pick<Security, (typeof CHANGED_COLUMNS)[number]>>;
  /** Of its event. */
  readonly type: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Takes place only while its asset is approved and its market open. */
  readonly whileOpen?: boolean;
  readonly now: number;
}

/** Changes a security, written down with what it was; false where it has changed since it was read, or is no longer open. */
export function changeSecurity(
  db: Database,
  security: Security,
  { change, type, details = {}, whileOpen = false, now }: SecurityChange,
  action: OperatorAction,
): Promise<boolean> {
  const columns = CHANGED_COLUMNS.filter((column) => change[column] !== undefined);
  const shown = columns.filter((column) => column !== 'pending');
  const set = columns.map((column): SQL => sql`${sql.identifier(columnOf(column))} = ${bound(change[column] ?? null)}`);
  return changeOnce(db, {
    action,
    type,
    subject: security.id,
    details,
    before: Object.fromEntries(shown.map((column) => [column, security[column]])),
    after: Object.fromEntries(shown.map((column) => [column, change[column]])),
    now,
    when: sql`EXISTS (SELECT 1 FROM securities WHERE id = ${security.id} AND version = CAST(${security.version} AS INTEGER))
              AND ${whileOpen ? isOpen(security) : sql`TRUE`}`,
    writes: (takesPlace) => [
      sql`UPDATE securities SET ${sql.join([...set, sql`version = version + 1`, sql`updated_at = ${now}`], sql`, `)}
          WHERE id = ${security.id} AND ${takesPlace}`,
    ],
  });
}

/** Nothing but the state of the security itself would stop its trading. */
export async function isSecurityOpen(db: Database, security: Security): Promise<boolean> {
  const row = await db.get<{ open: number }>(sql`SELECT ${isOpen(security)} AS open`);
  return row?.open === 1;
}

function isOpen({ id, market }: Security): SQL {
  return sql`EXISTS (SELECT 1 FROM assets a JOIN markets m ON m.base_asset = a.id
    WHERE a.id = ${id} AND a.status = 'APPROVED' AND m.symbol = ${market} AND m.status = 'open')`;
}

/** Asset and market have followed. */
export async function endPendingStep(db: Database, { id, version }: Security): Promise<void> {
  await db.run(sql`
    UPDATE securities SET pending = NULL WHERE id = ${id} AND version = CAST(${version} AS INTEGER)`);
}

/** Securities with a step under way that was not gone on with since `before`, those that wait longest first; they count as gone on with now. */
export async function takePendingSteps(
  db: Database,
  { before, now, limit }: { readonly before: number; readonly now: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    UPDATE securities SET tried_at = CAST(${now} AS INTEGER) WHERE id IN (
      SELECT id FROM securities WHERE pending IS NOT NULL AND tried_at < CAST(${before} AS INTEGER)
      ORDER BY tried_at LIMIT CAST(${limit} AS INTEGER))
    RETURNING id`);
  return rows.map(({ id }) => id);
}

/** D1 takes neither records nor booleans. */
function bound(value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}
