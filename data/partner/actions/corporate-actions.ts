import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { ActionState, ActionWait } from '../../../domain/corporate-actions/action-state.ts';
import {
  type ActionType,
  countsShares,
  endsShares,
  type NameChangeTerms,
} from '../../../domain/corporate-actions/corporate-action.ts';
import type { EventFacts } from '../../../protocol/partner/events.ts';
import type { OperatorAction } from '../../audit/trail/operator-events.ts';
import { changeOnce } from '../../change-once.ts';
import type { Database } from '../../database.ts';
import { corporateActions } from '../../schema/corporate-actions.ts';
import { securities } from '../../schema/partner.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { partnerEvent } from '../../webhooks/partner-event.ts';
import { countRows, hasRoom, holdersOf } from '../register/register-room.ts';
import type { SecuritiesOf } from '../securities.ts';
import { ENDS_SHARES, mayGoOn, STOP, splitsOver } from './action-right.ts';

export type CorporateAction = Readonly<typeof corporateActions.$inferSelect>;

/** When it ended: null while it is taken back, though `endedAt` says when it was completed. */
export function endOf({ state, endedAt }: Pick<CorporateAction, 'state' | 'endedAt'>): number | null {
  return state === 'reversing' || state === 'returning' ? null : endedAt;
}

/** Actions of one security that have not ended. */
export const OPEN_ACTIONS_MAX = 20;

const OPEN = sql.raw(`('announced', 'recorded', 'funding', 'funded', 'reversing')`);
/** An index of its own: the other one names its states. */
const EFFECTIVE = sql.raw(`'effective'`);
const RETURNING = sql.raw(`'returning'`);

const ENDS_ALL = sql.raw(ENDS_SHARES);

export type AnnouncedAction = Pick<
  CorporateAction,
  'security' | 'agent' | 'type' | 'terms' | 'description' | 'recordDate' | 'dueDate' | 'recordAt' | 'dueAt'
>;

/** What partners are told when an action is announced, under the id of the event. */
export type AnnouncementEvent = { readonly id: string } & (
  | { readonly type: 'dividend.declared'; readonly facts: EventFacts<'dividend.declared'> }
  | { readonly type: 'corporate_action.announced'; readonly facts: EventFacts<'corporate_action.announced'> }
);

/**
 * Stores an action under the id of its announcement, with the event that goes out; false where its security has too many, or another agent by now, where
 * another one that ends its shares is open, or where a row for each holder does not fit (`register-room.ts`).
 */
export function insertAction(
  db: Database,
  announced: AnnouncedAction,
  event: AnnouncementEvent,
  {
    action,
    now,
    survivorEvent,
  }: {
    readonly action: OperatorAction;
    readonly now: number;
    readonly survivorEvent: { readonly id: string; readonly security: string } | null;
  },
): Promise<boolean> {
  const { security, agent, type, terms, description, recordDate, dueDate, recordAt, dueAt } = announced;
  const isAlone = sql`NOT EXISTS (SELECT 1 FROM corporate_actions a WHERE a.security = ${security} AND ${ENDS_ALL}
    AND a.state IN ('announced', 'effective', 'recorded', 'funding', 'funded', 'returning'))`;
  const rows = actionRows(announced, now);
  const stated = countsShares(terms)
    ? sql`json_set(${JSON.stringify(terms)}, '$.splits', ${splitsOver(security)})`
    : sql`${JSON.stringify(terms)}`;
  return changeOnce(db, {
    action,
    type: 'partner.action_announced',
    subject: action.id,
    details: { security },
    before: null,
    after: { type, terms, description, recordDate, dueDate },
    now,
    when: sql`${isKeptBy(security, agent)} AND (SELECT count(*) FROM corporate_actions
      WHERE security = ${security} AND (state IN ${OPEN} OR state = ${EFFECTIVE} OR state = ${RETURNING})) < CAST(${OPEN_ACTIONS_MAX} AS INTEGER)
      AND ${endsShares(terms) ? isAlone : sql`TRUE`} AND ${rows === null ? sql`TRUE` : hasRoom(rows)}`,
    writes: (takesPlace) => [
      sql`
        INSERT INTO corporate_actions (id, security, agent, type, state, terms, description, record_date, due_date, record_at, due_at,
          actor, created_at)
        SELECT ${action.id}, ${security}, ${agent}, ${type}, 'announced', ${stated}, ${description}, ${recordDate},
          ${dueDate}, ${recordAt}, ${dueAt}, ${action.actor}, ${now}
        WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      partnerEvent({ ...event, securityId: security, createdAt: now, when: takesPlace }),
      ...(rows === null ? [] : [countRows(rows, takesPlace)]),
      ...(survivorEvent === null
        ? []
        : [
            partnerEvent({
              ...event,
              id: survivorEvent.id,
              securityId: survivorEvent.security,
              createdAt: now,
              when: takesPlace,
            }),
          ]),
    ],
  });
}

/** What an action comes to write, as many as hold shares when it is announced; null where it writes none for each holder. */
export function actionRows({ security, type }: Pick<AnnouncedAction, 'security' | 'type'>, at: number) {
  return type === 'name_change' || type === 'share_cancellation'
    ? null
    : ({ security, rows: holdersOf(security), kind: 'payments', at } as const);
}

function isKeptBy(security: string, agent: string): SQL {
  return sql`EXISTS (SELECT 1 FROM securities s JOIN partner_organizations p ON p.organization = s.transfer_agent
    WHERE s.id = ${security} AND s.transfer_agent = ${agent} AND s.agent_state = 'accepted' AND p.state = 'active'
    AND s.state IN ('listed', 'halted'))`;
}

/** Whose actions a reader sees: a lister those of its securities, and those that give their shares, the agent's that it has accepted. */
function isReader({ organization, role }: SecuritiesOf): SQL {
  return role === 'cross_lister'
    ? sql`(${securities.organization} = ${organization}
        OR ${corporateActions.terms} ->> '$.stock.survivor' IN (SELECT id FROM securities WHERE organization = ${organization}))`
    : sql`${securities.transferAgent} = ${organization} AND ${securities.agentState} = 'accepted'`;
}

export interface ActionQuery {
  readonly security: string | null;
  readonly type: ActionType | null;
  readonly state: ActionState | null;
  /** Id of the last action of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Actions of somebody's securities, newest first. */
export async function listActions(
  db: Database,
  reader: SecuritiesOf,
  { security, type, state, before, limit }: ActionQuery,
): Promise<CorporateAction[]> {
  const rows = await db
    .select({ action: corporateActions })
    .from(corporateActions)
    .innerJoin(securities, eq(securities.id, corporateActions.security))
    .where(
      and(
        isReader(reader),
        security === null ? undefined : eq(corporateActions.security, security),
        type === null ? undefined : eq(corporateActions.type, type),
        state === null ? undefined : eq(corporateActions.state, state),
        before === null ? undefined : lt(corporateActions.id, before),
      ),
    )
    .orderBy(desc(corporateActions.id))
    .limit(limit);
  return rows.map(({ action }) => action);
}

/** Actions of the whole venue, newest first. */
export function listActionsOfVenue(
  db: Database,
  { security, type, state, before, limit }: ActionQuery,
): Promise<CorporateAction[]> {
  return db
    .select()
    .from(corporateActions)
    .where(
      and(
        security === null ? undefined : eq(corporateActions.security, security),
        type === null ? undefined : eq(corporateActions.type, type),
        state === null ? undefined : eq(corporateActions.state, state),
        before === null ? undefined : lt(corporateActions.id, before),
      ),
    )
    .orderBy(desc(corporateActions.id))
    .limit(limit);
}

/** An action of somebody's security, or null. */
export async function findActionOf(db: Database, reader: SecuritiesOf, id: string): Promise<CorporateAction | null> {
  const row = await db
    .select({ action: corporateActions })
    .from(corporateActions)
    .innerJoin(securities, eq(securities.id, corporateActions.security))
    .where(and(eq(corporateActions.id, id), isReader(reader)))
    .get();
  return row?.action ?? null;
}

/** Whoever reads it. */
export async function findAction(db: Database, id: string): Promise<CorporateAction | null> {
  return (await db.select().from(corporateActions).where(eq(corporateActions.id, id)).get()) ?? null;
}

/**
 * Lets an action go on from what was read of it: its state, its attempt, and what the lister has agreed to, while who has announced it may. False where that
 * has changed.
 */
export async function moveAction(
  db: Database,
  { id, state, attempt, paymentAccount, amountMax }: CorporateAction,
  change: Partial<Pick<CorporateAction, 'state' | 'movingAt' | 'fundedAt' | 'endedAt' | 'total' | 'externalTotal'>>,
): Promise<boolean> {
  const rows = await db
    .update(corporateActions)
    .set({ ...change, waiting: null })
    .where(
      and(
        eq(corporateActions.id, id),
        eq(corporateActions.state, state),
        eq(corporateActions.attempt, attempt),
        mayGoOn(id),
        sql`${corporateActions.paymentAccount} IS ${paymentAccount} AND ${corporateActions.amountMax} IS ${amountMax}`,
      ),
    )
    .returning({ id: corporateActions.id });
  return rows.length > 0;
}

/** What was paid in is to go back: nobody is paid any more. False where the action has gone on since, or shares move. */
export async function beginReturning(db: Database, { id, state, attempt }: CorporateAction): Promise<boolean> {
  const rows = await db
    .update(corporateActions)
    .set({ state: 'returning', waiting: null })
    .where(
      and(
        eq(corporateActions.id, id),
        eq(corporateActions.state, state),
        eq(corporateActions.attempt, attempt),
        sql`${corporateActions.movingAt} IS NULL`,
      ),
    )
    .returning({ id: corporateActions.id });
  return rows.length > 0;
}

/** A step of what gives back, which nobody's right is asked for; false where another run has taken it. */
export async function moveReturning(
  db: Database,
  { id, attempt }: CorporateAction,
  change: Partial<Pick<CorporateAction, 'state' | 'waiting' | 'attempt' | 'fundedAt' | 'reversedAt' | 'endedAt'>>,
): Promise<boolean> {
  const rows = await db
    .update(corporateActions)
    .set({ waiting: null, ...change })
    .where(
      and(eq(corporateActions.id, id), eq(corporateActions.state, 'returning'), eq(corporateActions.attempt, attempt)),
    )
    .returning({ id: corporateActions.id });
  return rows.length > 0;
}

/** Shares may move from here on, once for the attempt. False where the action may take no step. */
export async function beginMoving(
  db: Database,
  { id, state, attempt }: Pick<CorporateAction, 'id' | 'state' | 'attempt'>,
  now: number,
): Promise<boolean> {
  const [moving] = await sqlBatch(db, [
    sql`
      UPDATE corporate_actions SET moving_at = coalesce(moving_at, CAST(${now} AS INTEGER))
      WHERE id = ${id} AND state = ${state} AND attempt = CAST(${attempt} AS INTEGER) AND ${mayGoOn(id)} RETURNING id`,
  ]);
  return (moving?.length ?? 0) > 0;
}

/**
 * The ledger is asked for this part of the payments, and for no other one until it has answered. False where the action may take no step: then what the part
 * comes to stays with who has paid.
 */
export async function askForPart(
  db: Database,
  { id, state, attempt }: Pick<CorporateAction, 'id' | 'state' | 'attempt'>,
  part: number,
): Promise<boolean> {
  const [asked] = await sqlBatch(db, [
    sql`
      UPDATE corporate_actions SET asked_part = CAST(${part} AS INTEGER)
      WHERE id = ${id} AND state = ${state} AND attempt = CAST(${attempt} AS INTEGER)
        AND (asked_part IS NULL OR asked_part = CAST(${part} AS INTEGER)) AND ${mayGoOn(id)} RETURNING id`,
  ]);
  return (asked?.length ?? 0) > 0;
}

/** Says why an action does not go on. */
export async function setWaiting(
  db: Database,
  { id, state, attempt }: CorporateAction,
  waiting: ActionWait,
): Promise<void> {
  await db
    .update(corporateActions)
    .set({ waiting })
    .where(and(eq(corporateActions.id, id), eq(corporateActions.state, state), eq(corporateActions.attempt, attempt)));
}

/** The ledger has refused a transaction of this attempt, for good: the next ones have other ids, and the action is where it can be acted on. */
export async function nextAttempt(
  db: Database,
  { id, state, attempt }: CorporateAction,
  change: { readonly state: ActionState; readonly waiting: ActionWait },
): Promise<void> {
  await db
    .update(corporateActions)
    .set({ ...change, attempt: attempt + 1, movingAt: null })
    .where(and(eq(corporateActions.id, id), eq(corporateActions.state, state), eq(corporateActions.attempt, attempt)));
}

/**
 * A cancellation takes no step while its register's event is none that may move shares: it is as it was announced, and its next event has another id. False where that one was
 * announced meanwhile, or the action has gone on.
 *
 * @param heldReason why it is held as by an operator, until one releases it
 */
export async function putBack(
  db: Database,
  { id, state, attempt }: CorporateAction,
  event: string,
  { waiting, heldReason }: { readonly waiting: ActionWait; readonly heldReason: string | null },
): Promise<boolean> {
  const [back] = await sqlBatch(db, [
    sql`
      UPDATE corporate_actions SET state = 'announced', waiting = ${waiting}, attempt = attempt + 1, moving_at = NULL,
        held_reason = coalesce(held_reason, ${heldReason})
      WHERE id = ${id} AND state = ${state} AND attempt = CAST(${attempt} AS INTEGER)
        AND NOT EXISTS (SELECT 1 FROM register_events WHERE id = ${event} AND state IN ('announced', 'recorded')) RETURNING id`,
  ]);
  return (back?.length ?? 0) > 0;
}

/** The ledger has left out, for good, what was to go back to the payer in the end: it is asked again under another id. */
export async function nextRestAttempt(db: Database, { id, state, restAttempt }: CorporateAction): Promise<void> {
  await db
    .update(corporateActions)
    .set({ restAttempt: restAttempt + 1 })
    .where(
      and(
        eq(corporateActions.id, id),
        eq(corporateActions.state, state),
        eq(corporateActions.restAttempt, restAttempt),
      ),
    );
}

/** Actions that nothing has begun of and whose agent was released since. */
export async function releasedActions(db: Database, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT a.id FROM corporate_actions a JOIN securities s ON s.id = a.security
    WHERE a.state IN ${OPEN} AND (a.state = 'announced' OR (a.type = 'dividend' AND a.state = 'recorded'))
      AND (s.transfer_agent IS NOT a.agent OR s.agent_state IS NOT 'accepted')
    LIMIT CAST(${limit} AS INTEGER)`);
  return rows.map(({ id }) => id);
}

/**
 * Actions that are due: so many that have begun and so many that have not, of each those that wait for nothing and those that do, so that none of these keeps back
 * another. In turns of their agents, the one first that was gone on with longest ago, or announced first. They count as gone on with now.
 */
export async function takeDueActions(
  db: Database,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db.all<{ id: string; state: ActionState; type: ActionType }>(sql`
    WITH due AS (
      SELECT id, row_number() OVER (PARTITION BY begun, idle ORDER BY round, since, id) AS turn
      FROM (
        SELECT *, row_number() OVER (PARTITION BY begun, idle, agent ORDER BY since, id) AS round
        FROM (
          SELECT id, agent, state, type, record_at, due_at, max(tried_at, created_at) AS since, waiting IS NULL AS idle,
            state <> 'announced' AND NOT (type = 'dividend' AND state = 'recorded') AS begun
          FROM (SELECT * FROM corporate_actions WHERE state IN ${OPEN} UNION ALL SELECT * FROM corporate_actions WHERE state = ${EFFECTIVE}
            UNION ALL SELECT * FROM corporate_actions WHERE state = ${RETURNING})
          WHERE CASE state WHEN 'announced' THEN coalesce(record_at, due_at) WHEN 'reversing' THEN 0 WHEN 'returning' THEN 0 ELSE due_at END <= CAST(${now} AS INTEGER))))
    UPDATE corporate_actions SET tried_at = CAST(${now} AS INTEGER)
    WHERE id IN (SELECT id FROM due WHERE turn <= CAST(${limit} AS INTEGER))
    RETURNING id, state, type`);
  const isNew = ({ state, type }: { readonly state: ActionState; readonly type: ActionType }) =>
    state === 'announced' || (type === 'dividend' && state === 'recorded');
  return [...rows.filter((row) => !isNew(row)), ...rows.filter(isNew)].map(({ id }) => id);
}

/** Other names of a security take effect: security, asset and action change together, once. */
export async function applyNames(
  db: Database,
  { id, security }: CorporateAction,
  { assetName, cusip, isin }: NameChangeTerms,
  now: number,
): Promise<void> {
  const isDue = sql`EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${id} AND state = 'announced') AND ${mayGoOn(id)}`;
  await sqlBatch(db, [
    sql`
      UPDATE securities SET asset_name = coalesce(${assetName}, asset_name), cusip = coalesce(${cusip}, cusip),
        isin = coalesce(${isin}, isin), version = version + 1, updated_at = ${now}
      WHERE id = ${security} AND ${isDue}`,
    sql`UPDATE assets SET name = coalesce(${assetName}, name) WHERE id = ${security} AND ${isDue}`,
    sql`UPDATE corporate_actions SET state = 'completed', ended_at = ${now}, waiting = NULL WHERE id = ${id} AND state = 'announced' AND ${mayGoOn(id)}`,
  ]);
}

/** Securities that an action has halted, and that no split or merger needs halted: none that may take a step is due, unless it waits as `fractions`, and none is under way. With their version; chance decides which come first. */
export function actionHalts(
  db: Database,
  { security, now, limit }: { readonly security: string | null; readonly now: number; readonly limit: number },
): Promise<{ readonly id: string; readonly version: number }[]> {
  const isMeant = security === null ? sql`TRUE` : sql`s.id = ${security}`;
  return db.all(sql`
    SELECT s.id, s.version FROM securities s
    WHERE s.state = 'halted' AND s.halted_by = 'action' AND ${isMeant} AND NOT EXISTS (
      SELECT 1 FROM corporate_actions a WHERE a.security = s.id AND (a.type = 'stock_split' OR ${ENDS_ALL})
        AND (a.state IN ('effective', 'recorded', 'funding', 'funded', 'returning')
          OR (a.state = 'announced' AND a.due_at <= CAST(${now} AS INTEGER) AND a.waiting IS NOT 'fractions' AND (${STOP}) IS NULL)))
    ORDER BY random() LIMIT CAST(${limit} AS INTEGER)`);
}
