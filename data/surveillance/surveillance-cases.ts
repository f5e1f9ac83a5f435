import { and, asc, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import {
  type CaseOutcome,
  type CaseState,
  NOTES_PER_CASE_MAX,
  type SurveillanceRule,
} from '../../domain/surveillance/surveillance-case.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';
import { surveillanceCases, surveillanceNotes } from '../schema/surveillance.ts';
import { isAbout, notAbout } from './about.ts';

export type SurveillanceCase = Readonly<typeof surveillanceCases.$inferSelect>;
export type SurveillanceNote = Readonly<typeof surveillanceNotes.$inferSelect>;

export interface CaseFilter {
  readonly state: CaseState | null;
  readonly rule: SurveillanceRule | null;
  readonly market: string | null;
  /** User id of one whom it is about. */
  readonly person: string | null;
  /** User id; '' for cases that nobody looks into. */
  readonly assignee: string | null;
  /** Id of the last case of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Cases that are about none of the viewers, newest first, without their evidence. @param viewers user ids of whoever may be asking */
export function listCases(
  db: Database,
  viewers: readonly string[],
  { state, rule, market, person, assignee, before, limit }: CaseFilter,
): Promise<Omit<SurveillanceCase, 'evidence'>[]> {
  const { evidence: _, ...columns } = getTableColumns(surveillanceCases);
  const conditions: SQL[] = [
    notAbout(viewers),
    ...(state === null ? [] : [eq(surveillanceCases.state, state)]),
    ...(rule === null ? [] : [eq(surveillanceCases.rule, rule)]),
    ...(market === null ? [] : [eq(surveillanceCases.market, market)]),
    ...(person === null ? [] : [isAbout([person])]),
    ...(assignee === null ? [] : [sql`coalesce(${surveillanceCases.assignee}, '') = ${assignee}`]),
    ...(before === null ? [] : [lt(surveillanceCases.id, before)]),
  ];
  return db
    .select(columns)
    .from(surveillanceCases)
    .where(and(...conditions))
    .orderBy(desc(surveillanceCases.id))
    .limit(limit);
}

/** A case with the scales of its market. */
export interface ScaledCase {
  readonly found: SurveillanceCase;
  readonly priceScale: number;
  readonly quantityScale: number;
}

const base = alias(assets, 'base');

/** A case that is about none of these people; null for any other. @param viewers user ids of whoever may be asking */
export async function findCase(db: Database, id: string, viewers: Iterable<string>): Promise<ScaledCase | null> {
  const row = await db
    .select({ found: surveillanceCases, priceScale: markets.priceScale, quantityScale: base.scale })
    .from(surveillanceCases)
    .innerJoin(markets, eq(markets.symbol, surveillanceCases.market))
    .innerJoin(base, eq(base.id, surveillanceCases.asset))
    .where(and(eq(surveillanceCases.id, id), notAbout([...viewers])))
    .get();
  return row ?? null;
}

/** What was written down about a case, in order. */
export function listNotes(db: Database, caseId: string): Promise<SurveillanceNote[]> {
  return db
    .select()
    .from(surveillanceNotes)
    .where(eq(surveillanceNotes.caseId, caseId))
    .orderBy(asc(surveillanceNotes.id))
    .limit(NOTES_PER_CASE_MAX);
}

/** Adds a note; false where the case has as many as it takes. */
export function addNote(
  db: Database,
  { id }: Pick<SurveillanceCase, 'id'>,
  text: string,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  const notes = sql`(SELECT count(*) FROM surveillance_notes WHERE case_id = ${id})`;
  return changeOnce(db, {
    action,
    type: 'operator.surveillance_case_noted',
    subject: id,
    details: {},
    before: null,
    after: { note: action.id },
    now,
    when: sql`${notes} < ${NOTES_PER_CASE_MAX}`,
    writes: (takesPlace) => [
      sql`INSERT INTO surveillance_notes (id, case_id, author, text, created_at)
          SELECT ${action.id}, ${id}, ${action.actor}, ${text}, CAST(${now} AS INTEGER) WHERE ${takesPlace}`,
      sql`UPDATE surveillance_cases SET updated_at = CAST(${now} AS INTEGER) WHERE id = ${id} AND ${takesPlace}`,
    ],
  });
}

/** Gives an open case to somebody, or to nobody; false where it is closed, or has changed since it was read. */
export function assignCase(
  db: Database,
  read: SurveillanceCase,
  assignee: string | null,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  return changeCase(db, read, action, now, {
    type: 'operator.surveillance_case_assigned',
    from: 'open',
    before: { assignee: read.assignee },
    after: { assignee },
    set: sql`assignee = ${assignee}`,
  });
}

/** Closes an open case; false where it is closed, or has changed since it was read. */
export function closeCase(
  db: Database,
  read: SurveillanceCase,
  { outcome, reason }: { readonly outcome: CaseOutcome; readonly reason: string },
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  return changeCase(db, read, action, now, {
    type: 'operator.surveillance_case_closed',
    from: 'open',
    before: { state: 'open' },
    after: { state: 'closed', outcome },
    set: sql`state = 'closed', outcome = ${outcome}, close_reason = ${reason}, closed_by = ${action.actor}, closed_at = CAST(${now} AS INTEGER)`,
  });
}

/** Opens a closed case again; how it had ended stands in the trail. */
export function reopenCase(
  db: Database,
  read: SurveillanceCase,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  return changeCase(db, read, action, now, {
    type: 'operator.surveillance_case_reopened',
    from: 'closed',
    before: { state: 'closed', outcome: read.outcome, reason: read.closeReason, closedBy: read.closedBy },
    after: { state: 'open' },
    set: sql`state = 'open', outcome = NULL, close_reason = NULL, closed_by = NULL, closed_at = NULL`,
  });
}

interface CaseChange {
  readonly type: string;
  readonly from: CaseState;
  readonly before: object;
  readonly after: object;
  readonly set: SQL;
}

function changeCase(
  db: Database,
  { id, version }: SurveillanceCase,
  action: OperatorAction,
  now: number,
  { type, from, before, after, set }: CaseChange,
): Promise<boolean> {
  const stands = sql`id = ${id} AND state = ${from} AND version = CAST(${version} AS INTEGER)`;
  return changeOnce(db, {
    action,
    type,
    subject: id,
    details: {},
    before,
    after,
    now,
    when: sql`EXISTS (SELECT 1 FROM surveillance_cases WHERE ${stands})`,
    writes: (takesPlace) => [
      sql`UPDATE surveillance_cases SET ${set}, version = version + 1, updated_at = CAST(${now} AS INTEGER)
          WHERE ${stands} AND ${takesPlace}`,
    ],
  });
}
