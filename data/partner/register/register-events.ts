import { and, eq, gt, lt, or, type SQL, sql } from 'drizzle-orm';
import { composed, lookAlikeForm } from '../../../domain/register/look-alike.ts';
import type { HolderKind, RegisterChange, RegisterEventType } from '../../../domain/register/register-event.ts';
import type { OperatorAction } from '../../audit/trail/operator-events.ts';
import { changeOnce } from '../../change-once.ts';
import type { Database } from '../../database.ts';
import { listParts } from '../../list-parts.ts';
import { kindOfAccount } from '../../onboarding/kind-of-account.ts';
import { registerEvents } from '../../schema/register.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { type ActionAttempt, beginMovingWith, mayGoOn, mayMove } from '../actions/action-right.ts';
import { countRows, hasRoom, uncountLines } from './register-room.ts';

export type RegisterEventRow = Readonly<typeof registerEvents.$inferSelect>;

/** Lines of one statement, at most. */
const LINES_PER_STATEMENT = 2_000;
const STATEMENTS_PER_BATCH = 10;

/** A holder as an event names one: by account, or as the agent knows them. */
interface NamedHolder {
  /** UUIDv7 for one who is not there yet. */
  readonly id: string;
  readonly account: string | null;
  /** Unique within the security; `account:<id>` of one with an account. */
  readonly reference: string;
  readonly kind: HolderKind;
  /** False where the agent has not said: what kind it is, another event may say. */
  readonly isKindStated?: boolean;
  readonly name: string;
  readonly country: string | null;
}

export interface RegisterLine extends Omit<RegisterChange, 'holder' | 'account'> {
  readonly holder: NamedHolder;
  readonly certificate: string | null;
  readonly legend: boolean;
}

export interface StagedEvent {
  readonly id: string;
  readonly security: string;
  readonly type: RegisterEventType;
  readonly hash: string;
  readonly recordDate: string | null;
  readonly notes: string | null;
  readonly actor: string;
  /** The agent who asks for it: nothing is begun for one that keeps the register no longer. */
  readonly agent?: string;
  /** The attempt of a corporate action that it belongs to: by its announcement shares move. */
  readonly action?: ActionAttempt;
  readonly createdAt: number;
}

type EventOf = Pick<StagedEvent, 'id' | 'security'>;

export async function findRegisterEvent(db: Database, id: string): Promise<RegisterEventRow | null> {
  return (await db.select().from(registerEvents).where(eq(registerEvents.id, id)).get()) ?? null;
}

/** Refusal of an event that was given up before anything was announced: the same request may begin it again. */
export const NOT_ANNOUNCED = 'not_announced';

/** Refusal of an event that an operator has ended. */
export const ENDED_BY_OPERATOR = 'ended_by_operator';

/** Refusals that pass by themselves: the same request begins its event anew, as its next attempt. All others stand for good. */
export const PASSING_REFUSALS: ReadonlySet<string> = new Set([NOT_ANNOUNCED, 'split_under_way', 'ledger_full']);

/**
 * Writes an event and its lines, in parts; the same again writes what is missing, or begins one anew whose refusal passes. Nothing of it
 * counts before it is recorded. Where its rows do not fit (`register-room.ts`), nothing is written.
 */
export async function stageEvent(db: Database, event: StagedEvent, lines: readonly RegisterLine[]): Promise<void> {
  const { id, security, type, hash, recordDate, notes, actor, agent, createdAt } = event;
  const isAsked = agent === undefined ? sql`TRUE` : isKeptBy(sql`${agent}`, security);
  const isBegun = sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${id} AND state = 'staged')`;
  const rows = { security, rows: lines.length + 1, kind: 'lines', at: createdAt } as const;
  let statements: SQL[] = [
    sql`
      INSERT INTO register_events (id, security, type, state, hash, record_date, notes, agent, line_count, actor, created_at)
      SELECT ${id}, ${security}, ${type}, 'staged', ${hash}, ${recordDate}, ${notes},
        (SELECT transfer_agent FROM securities WHERE id = ${security}), ${lines.length}, ${actor}, ${createdAt}
      WHERE ${isAsked} AND (${isBegun} OR ${hasRoom(rows)})
      ON CONFLICT (id) DO UPDATE SET state = 'staged', refusal = NULL, agent = excluded.agent, line_count = excluded.line_count,
        attempt = register_events.attempt + 1, created_at = excluded.created_at
      WHERE register_events.state = 'refused' AND register_events.refusal IN (SELECT value FROM json_each(${JSON.stringify([...PASSING_REFUSALS])}))`,
    // Of a run that goes on with a staged event, the time is another one.
    countRows(
      rows,
      sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${id} AND state = 'staged' AND created_at = CAST(${createdAt} AS INTEGER))`,
    ),
  ];
  let from = 0;
  // A line has more bytes than what either statement says of it.
  for (const part of listParts(lines, LINES_PER_STATEMENT)) {
    statements.push(...linesOf(event, part, from));
    from += part.length;
    if (statements.length < STATEMENTS_PER_BATCH) continue;
    await sqlBatch(db, statements);
    statements = [];
  }
  if (statements.length > 0) await sqlBatch(db, statements);
}

/** Of an event in the one state in which its lines are written. */
export function linesOf(
  { id, security, createdAt }: Pick<StagedEvent, 'id' | 'security' | 'createdAt'>,
  lines: readonly RegisterLine[],
  from: number,
  state: 'staged' | 'announced' = 'staged',
): SQL[] {
  const holders = lines.map(({ holder: each }) => [
    each.id,
    each.account,
    each.reference,
    each.kind,
    each.name,
    each.country,
    each.account === null ? lookAlikeForm(each.reference) : null,
    each.isKindStated === false ? 0 : 1,
  ]);
  const changes = lines.map(({ holder, certificate, legend, ...change }, at) => [
    from + at,
    holder.reference,
    change.shares,
    change.cost,
    change.acquiredAt,
    change.restrictionEndsAt,
    change.offeringType,
    certificate,
    legend ? 1 : 0,
  ]);
  const isOpen = sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${id} AND state = ${state})`;
  return [
    sql`
      INSERT INTO register_holders (id, security, account, reference, kind, name, country, reference_form, kind_stated, created_at)
      SELECT value ->> 0, ${security}, value ->> 1, value ->> 2,
        CASE WHEN value ->> 7 OR value ->> 1 IS NULL THEN value ->> 3 ELSE ${kindOfAccount(sql`a.user_id`)} END,
        value ->> 4, value ->> 5, value ->> 6, value ->> 7, ${createdAt}
      FROM json_each(${JSON.stringify(holders)}) LEFT JOIN accounts a ON a.id = value ->> 1 WHERE ${isOpen} ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO register_changes
        (event, line, security, holder, shares, cost, acquired_at, restriction_ends_at, offering_type, certificate, legend)
      SELECT ${id}, value ->> 0, ${security}, h.id, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
        value ->> 7, value ->> 8
      FROM json_each(${JSON.stringify(changes)}) CROSS JOIN register_holders h
      WHERE h.security = ${security} AND h.reference = value ->> 1 AND ${isOpen} ON CONFLICT (event, line) DO NOTHING`,
  ];
}

/** Names that go into one statement, at most. */
const NAMES_AT_ONCE_MAX = 5_000;

/** Of these certificate numbers, those that the security's register knows from another event, of the first statement that finds any. */
export async function knownCertificates(
  db: Database,
  { id, security }: EventOf,
  certificates: readonly string[],
): Promise<string[]> {
  for (const part of listParts(certificates, NAMES_AT_ONCE_MAX)) {
    const some = JSON.stringify(part);
    const rows = await db.all<{ certificate: string }>(sql`
      SELECT DISTINCT certificate FROM register_changes
      WHERE security = ${security} AND event <> ${id} AND certificate IN (SELECT value FROM json_each(${some}))
      LIMIT 1000`);
    if (rows.length > 0) return rows.map(({ certificate }) => certificate);
  }
  return [];
}

/** What the register says of a holder. */
export interface RegisteredHolder {
  readonly reference: string;
  readonly name: string;
  /** Null where the agent has not said. */
  readonly kind: HolderKind | null;
  readonly country: string | null;
  /** Whether a recorded event has named them; else they came with what is staged. */
  readonly isRecorded: boolean;
}

/** Of these references, those that the security's register knows; `account:<id>` is that of a holder with an account. */
export async function registeredHolders(
  db: Database,
  security: string,
  references: readonly string[],
): Promise<Map<string, RegisteredHolder>> {
  const known = new Map<string, RegisteredHolder>();
  for (const part of listParts(references, NAMES_AT_ONCE_MAX)) {
    const some = JSON.stringify(part);
    const rows = await db.all<Omit<RegisteredHolder, 'isRecorded'> & { readonly isRecorded: number }>(sql`
      SELECT h.reference, h.name, iif(h.kind_stated, h.kind, NULL) AS kind, h.country,
        EXISTS (SELECT 1 FROM register_holdings r WHERE r.security = h.security AND r.holder = h.id) AS isRecorded
      FROM json_each(${some}) j
      CROSS JOIN register_holders h ON h.security = ${security} AND h.reference = j.value`);
    for (const row of rows)
      known.set(row.reference, { ...row, name: composed(row.name), isRecorded: row.isRecorded === 1 });
  }
  return known;
}

/** References of a security's register that look like these (domain/register/look-alike.ts), by what they look like. */
export async function referencesLike(
  db: Database,
  security: string,
  forms: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const part of listParts(forms, NAMES_AT_ONCE_MAX)) {
    const rows = await db.all<{ form: string; reference: string }>(sql`
      SELECT h.reference_form AS form, h.reference FROM json_each(${JSON.stringify(part)}) j
      CROSS JOIN register_holders h ON h.security = ${security} AND h.reference_form = j.value`);
    for (const { form, reference } of rows) found.set(form, [...(found.get(form) ?? []), reference]);
  }
  return found;
}

/** Of one call: more holders than a register of this venue has. What is left, the same call again does. */
const FORM_STEPS_MAX = 100;

/**
 * Gives holders without an account what their references look like, and composes their texts, where rows are older than that. One whose composed reference is another
 * holder's keeps its own.
 *
 * @returns whether all of the security have it
 */
export async function formReferences(db: Database, security: string): Promise<boolean> {
  for (let step = 0; step < FORM_STEPS_MAX; step++) {
    const rows = await db.all<{ id: string; reference: string; name: string }>(sql`
      SELECT id, reference, name FROM register_holders
      WHERE security = ${security} AND account IS NULL AND reference_form IS NULL LIMIT CAST(${LINES_PER_STATEMENT} AS INTEGER)`);
    const formed = rows.map(({ id, reference, name }) => [
      id,
      composed(reference),
      composed(name),
      lookAlikeForm(reference),
    ]);
    for (const part of listParts(formed, LINES_PER_STATEMENT)) {
      const some = JSON.stringify(part);
      await sqlBatch(db, [
        sql`
          UPDATE OR IGNORE register_holders SET reference = j.value ->> 1, name = j.value ->> 2, reference_form = j.value ->> 3
          FROM json_each(${some}) j WHERE register_holders.id = j.value ->> 0 AND reference_form IS NULL`,
        sql`
          UPDATE register_holders SET name = j.value ->> 2, reference_form = j.value ->> 3
          FROM json_each(${some}) j WHERE register_holders.id = j.value ->> 0 AND reference_form IS NULL`,
      ]);
    }
    if (rows.length < LINES_PER_STATEMENT) return true;
  }
  return false;
}

/** What the agent says of holders of whom it had not said it before. What was said before stays. */
export async function sayOfHolders(db: Database, security: string, holders: readonly NamedHolder[]): Promise<void> {
  const said = holders.filter(({ isKindStated, country }) => isKindStated !== false || country !== null);
  const rows = said.map(({ reference, kind, isKindStated, country }) => [
    reference,
    isKindStated === false ? null : kind,
    country,
  ]);
  for (const part of listParts(rows, LINES_PER_STATEMENT))
    await sqlBatch(db, [
      sql`
        UPDATE register_holders SET country = coalesce(country, j.value ->> 2),
          kind = iif(kind_stated OR j.value ->> 1 IS NULL, kind, j.value ->> 1), kind_stated = kind_stated OR j.value ->> 1 IS NOT NULL
        FROM json_each(${JSON.stringify(part)}) j
        WHERE security = ${security} AND reference = j.value ->> 0 AND (NOT kind_stated OR country IS NULL)`,
    ]);
}

/** Holders whom an event would leave with less than nothing. */
function shortHolders({ id, security }: EventOf): SQL {
  return sql`
    SELECT c.holder, -c.change AS required, coalesce(h.shares, 0) AS held
    FROM (SELECT holder, sum(shares) AS change FROM register_changes WHERE event = ${id} GROUP BY holder) c
    LEFT JOIN register_holdings h ON h.security = ${security} AND h.holder = c.holder
    WHERE coalesce(h.shares, 0) + c.change < 0`;
}

/**
 * Announces a staged event, unless another one of its security is under way, somebody would have less than nothing, lines are missing, or who asks for it may
 * no longer: the agent of the register, or the corporate action that it belongs to.
 *
 * @param action that may take a step
 * @param moving whose shares move from here on, in the same batch
 */
export async function announceEvent(
  db: Database,
  event: EventOf,
  { action, moving }: { readonly action?: string; readonly moving?: ActionAttempt | undefined } = {},
): Promise<boolean> {
  const { id, security } = event;
  await sqlBatch(db, [
    sql`
      UPDATE register_events SET state = 'announced'
      WHERE id = ${id} AND state = 'staged'
        AND NOT EXISTS (SELECT 1 FROM register_events o WHERE o.security = ${security} AND o.state = 'announced')
        AND (line_count IS NULL OR line_count = (SELECT count(*) FROM register_changes WHERE event = ${id}))
        AND (agent IS NULL OR ${isKeptBy(sql`register_events.agent`, security)})
        AND ${action === undefined ? sql`TRUE` : mayGoOn(action)}
        AND ${moving === undefined ? sql`TRUE` : mayMove(moving)}
        AND NOT EXISTS (${shortHolders(event)})`,
    ...(moving === undefined ? [] : [beginMovingWith(id, moving, Date.now())]),
  ]);
  return (await findRegisterEvent(db, id))?.state !== 'staged';
}

/** The agent keeps the register: its proposal was accepted, and it is not suspended. */
function isKeptBy(agent: SQL, security: string): SQL {
  return sql`EXISTS (SELECT 1 FROM securities s JOIN partner_organizations p ON p.organization = s.transfer_agent
    WHERE s.id = ${security} AND s.transfer_agent = ${agent} AND s.agent_state = 'accepted' AND p.state = 'active')`;
}

export interface ShortHolder {
  readonly holder: string;
  readonly required: number;
  readonly held: number;
}

export async function findShortHolder(db: Database, event: EventOf): Promise<ShortHolder | null> {
  return (await db.get<ShortHolder>(sql`${shortHolders(event)} LIMIT 1`)) ?? null;
}

/** The event of a security that is under way. */
export async function findAnnounced(db: Database, security: string): Promise<RegisterEventRow | null> {
  const row = await db
    .select()
    .from(registerEvents)
    .where(and(eq(registerEvents.security, security), eq(registerEvents.state, 'announced')))
    .get();
  return row ?? null;
}

/**
 * Events that a crash has left: those that are older, in milliseconds, than their state may take. Chance decides which come first, so none that does not end
 * keeps back another.
 */
export function unfinishedEvents(
  db: Database,
  now: number,
  age: { readonly staged: number; readonly announced: number },
  count: number,
): Promise<RegisterEventRow[]> {
  const isLeft = (state: keyof typeof age) =>
    and(eq(registerEvents.state, state), lt(registerEvents.createdAt, now - age[state]));
  return db
    .select()
    .from(registerEvents)
    .where(and(IS_OPEN, or(isLeft('staged'), isLeft('announced'))))
    .orderBy(sql`random()`)
    .limit(count);
}

/** In the words of the index of open events: else all events of all registers are read for the few that are open. */
const IS_OPEN = sql`${registerEvents.state} IN ('staged', 'announced')`;

/** What the ledger has to do with an event: a change for each line of an account, and one for all holders without an account. */
export async function ledgerChanges(db: Database, event: string): Promise<RegisterChange[]> {
  const [accounts, others] = await sqlBatch<[RegisterChange[], { shares: number | null }[]]>(db, [
    sql`
      SELECT c.holder, h.account, c.shares, c.cost, c.acquired_at AS acquiredAt, c.restriction_ends_at AS restrictionEndsAt,
        c.offering_type AS offeringType
      FROM register_changes c JOIN register_holders h ON h.id = c.holder
      WHERE c.event = ${event} AND h.account IS NOT NULL ORDER BY c.line`,
    sql`
      SELECT sum(c.shares) AS shares FROM register_changes c JOIN register_holders h ON h.id = c.holder
      WHERE c.event = ${event} AND h.account IS NULL`,
  ]);
  const shares = others[0]?.shares ?? 0;
  const nobody = { holder: '', account: null, cost: 0, acquiredAt: null, restrictionEndsAt: null, offeringType: null };
  return shares === 0 ? accounts : [...accounts, { ...nobody, shares }];
}

/** Records an announced event: what holders have changes with it, once. */
export function recordStatements({ id, security }: EventOf, now: number): SQL[] {
  const isAnnounced = sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${id} AND state = 'announced')`;
  return [
    sql`
      INSERT INTO register_holdings (security, holder, shares)
      SELECT DISTINCT security, holder, 0 FROM register_changes WHERE event = ${id} AND ${isAnnounced} ON CONFLICT DO NOTHING`,
    sql`
      UPDATE register_holdings SET shares = register_holdings.shares + c.change
      FROM (SELECT holder, sum(shares) AS change FROM register_changes WHERE event = ${id} GROUP BY holder) c
      WHERE register_holdings.security = ${security} AND register_holdings.holder = c.holder AND ${isAnnounced}`,
    sql`
      UPDATE register_events SET state = 'recorded',
        sequence = (SELECT coalesce(max(sequence), 0) + 1 FROM register_events WHERE security = ${security}),
        recorded_at = (SELECT max(${now}, coalesce(max(recorded_at), 0)) FROM register_events WHERE security = ${security})
      WHERE id = ${id} AND state = 'announced'`,
  ];
}

export async function recordEvent(db: Database, event: EventOf, now: number): Promise<void> {
  await sqlBatch(db, recordStatements(event, now));
}

/**
 * An event that still is in the state that it was read in comes to nothing: its lines go, so that their certificate numbers are free, and the holders that
 * it brought. False where it has moved on since, or is at another attempt: the ledger may have carried it out.
 */
export async function refuseEvent(
  db: Database,
  { id, state, attempt }: Pick<RegisterEventRow, 'id' | 'state'> & { readonly attempt?: number },
  refusal: string,
): Promise<boolean> {
  const [, , , refused] = await sqlBatch(db, refuseStatements(isAsRead({ id, state, attempt }), id, refusal));
  return (refused?.length ?? 0) > 0;
}

/** Of an event that has not moved on since it was read. */
function isAsRead({
  id,
  state,
  attempt,
}: Pick<RegisterEventRow, 'id' | 'state'> & { readonly attempt?: number | undefined }): SQL {
  const isAttempt = attempt === undefined ? sql`TRUE` : sql`attempt = CAST(${attempt} AS INTEGER)`;
  return sql`id = ${id} AND state IN ('staged', 'announced') AND state = ${state} AND ${isAttempt}`;
}

/** @param is condition of the event's row */
function refuseStatements(is: SQL, id: string, refusal: string): SQL[] {
  const isMeant = sql`EXISTS (SELECT 1 FROM register_events WHERE ${is})`;
  return [
    uncountLines(id, isMeant),
    // Holders whom no other line names came with it.
    sql`
      DELETE FROM register_holders WHERE ${isMeant}
        AND id IN (SELECT holder FROM register_changes WHERE event = ${id})
        AND NOT EXISTS (SELECT 1 FROM register_changes o WHERE o.holder = register_holders.id AND o.event <> ${id})`,
    sql`DELETE FROM register_changes WHERE event = ${id} AND ${isMeant}`,
    sql`UPDATE register_events SET state = 'refused', refusal = ${refusal} WHERE ${is} RETURNING id`,
  ];
}

/** An operator ends an event as it was read, written down with why. False where it has moved on since. */
export function endEvent(db: Database, event: RegisterEventRow, now: number, action: OperatorAction): Promise<boolean> {
  const { id, security, type, state } = event;
  const is = isAsRead(event);
  return changeOnce(db, {
    action,
    type: 'operator.register_event_ended',
    subject: id,
    details: { security, type },
    before: { state },
    after: { state: 'refused', refusal: ENDED_BY_OPERATOR },
    now,
    when: sql`EXISTS (SELECT 1 FROM register_events WHERE ${is})`,
    writes: (takesPlace) => refuseStatements(sql`${is} AND ${takesPlace}`, id, ENDED_BY_OPERATOR),
  });
}

interface OpenEventQuery {
  readonly security: string | null;
  /** Id of the last event of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** Not by the index of ids, by which all that have come to their end were read as well. */
const ID = sql`+${registerEvents.id}`;

/** Events of registers that have neither been recorded nor refused, by id. */
export function listOpenEvents(db: Database, { security, after, limit }: OpenEventQuery): Promise<RegisterEventRow[]> {
  return db
    .select()
    .from(registerEvents)
    .where(
      and(
        IS_OPEN,
        security === null ? undefined : eq(registerEvents.security, security),
        after === null ? undefined : gt(ID, after),
      ),
    )
    .orderBy(ID)
    .limit(limit);
}
