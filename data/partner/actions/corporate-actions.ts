import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { ActionState, ActionWait } from '../../../domain/corporate-actions/action-state.ts';
import {
  type ActionType,
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
import type { SecuritiesOf } from '../securities.ts';

export type CorporateAction = Readonly<typeof corporateActions.$inferSelect>;

/** Actions of one security that have not ended. */
export const OPEN_ACTIONS_MAX = 20;

const OPEN = sql.raw(`('announced', 'recorded', 'funding', 'funded', 'reversing')`);
/** An index of its own: the other one names its states. */
const EFFECTIVE = sql.raw(`'effective'`);

/** A merger `a` that ends shares. */
const ENDS_SHARES = sql.raw(
  `(a.type = 'merger' AND (a.terms ->> 'currencyAsset' IS NOT NULL OR a.terms -> 'stock' IS NOT NULL))`,
);

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
 * Stores an action under the id of its announcement, with the event that goes out; false where its security has too many, or another agent by now, or where
 * another one that ends its shares is open.
 */
export function insertAction(
  db: Database,
  announced: AnnouncedAction,
  event: AnnouncementEvent,
  { action, now }: { readonly action: OperatorAction; readonly now: number },
): Promise<boolean> {
  const { security, agent, type, terms, description, recordDate, dueDate, recordAt, dueAt } = announced;
  const isAlone = sql`NOT EXISTS (SELECT 1 FROM corporate_actions a WHERE a.security = ${security} AND ${ENDS_SHARES}
    AND a.state IN ('announced', 'effective', 'recorded', 'funding', 'funded'))`;
  return changeOnce(db, {
    action,
    type: 'partner.action_announced',
    subject: action.id,
    details: { security },
    before: null,
    after: { type, terms, description, recordDate, dueDate },
    now,
    when: sql`${isKeptBy(security, agent)} AND (SELECT count(*) FROM corporate_actions
      WHERE security = ${security} AND (state IN ${OPEN} OR state = ${EFFECTIVE})) < CAST(${OPEN_ACTIONS_MAX} AS INTEGER)
      AND ${endsShares(terms) ? isAlone : sql`TRUE`}`,
    writes: (takesPlace) => [
      sql`
        INSERT INTO corporate_actions (id, security, agent, type, state, terms, description, record_date, due_date, record_at, due_at,
          actor, created_at)
        SELECT ${action.id}, ${security}, ${agent}, ${type}, 'announced', ${JSON.stringify(terms)}, ${description}, ${recordDate},
          ${dueDate}, ${recordAt}, ${dueAt}, ${action.actor}, ${now}
        WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      partnerEvent({ ...event, securityId: security, createdAt: now, when: takesPlace }),
    ],
  });
}

function isKeptBy(security: string, agent: string): SQL {
  return sql`EXISTS (SELECT 1 FROM securities WHERE id = ${security} AND transfer_agent = ${agent} AND agent_state = 'accepted'
    AND state IN ('listed', 'halted'))`;
}

/** Whose securities a reader sees: the lister's own, the agent's that it has accepted. */
function isReader({ organization, role }: SecuritiesOf): SQL {
  return role === 'cross_lister'
    ? sql`${securities.organization} = ${organization}`
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

export interface ActionChange {
  readonly change: Partial<
    Pick<CorporateAction, 'state' | 'reason' | 'paymentAccount' | 'amountMax' | 'endedAt' | 'reversedAt'>
  >;
  /** Of its event in the audit trail. */
  readonly type: string;
  readonly now: number;
}

/** Changes an action for somebody, written down; false where it is in another state than it was read in. */
export function changeAction(
  db: Database,
  action: CorporateAction,
  { change, type, now }: ActionChange,
  by: OperatorAction,
): Promise<boolean> {
  const { id, state, reason, paymentAccount, amountMax, endedAt, reversedAt } = { ...action, ...change };
  const isAsRead = sql`EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${id} AND state = ${action.state})`;
  return changeOnce(db, {
    action: by,
    type,
    subject: id,
    details: { security: action.security },
    before: Object.fromEntries(Object.keys(change).map((field) => [field, action[field as keyof CorporateAction]])),
    after: change,
    now,
    when: isAsRead,
    writes: (takesPlace) => [
      sql`
        UPDATE corporate_actions SET state = ${state}, reason = ${reason}, payment_account = ${paymentAccount},
          amount_max = ${amountMax}, ended_at = ${endedAt}, reversed_at = ${reversedAt}, waiting = NULL
        WHERE id = ${id} AND state = ${action.state} AND ${takesPlace}`,
    ],
  });
}

/** Lets an action go on from what was read of it: its state, and what the lister has agreed to. False where that has changed. */
export async function moveAction(
  db: Database,
  { id, state, paymentAccount, amountMax }: CorporateAction,
  change: Partial<Pick<CorporateAction, 'state' | 'fundedAt' | 'endedAt' | 'total' | 'externalTotal'>>,
): Promise<boolean> {
  const rows = await db
    .update(corporateActions)
    .set({ ...change, waiting: null })
    .where(
      and(
        eq(corporateActions.id, id),
        eq(corporateActions.state, state),
        sql`${corporateActions.paymentAccount} IS ${paymentAccount} AND ${corporateActions.amountMax} IS ${amountMax}`,
      ),
    )
    .returning({ id: corporateActions.id });
  return rows.length > 0;
}

/** Says why an action does not go on. */
export async function setWaiting(db: Database, { id, state }: CorporateAction, waiting: ActionWait): Promise<void> {
  await db
    .update(corporateActions)
    .set({ waiting })
    .where(and(eq(corporateActions.id, id), eq(corporateActions.state, state)));
}

/** The ledger has refused a transaction of this attempt, for good: the next ones have other ids, and the action is where it can be acted on. */
export async function nextAttempt(
  db: Database,
  { id, state, attempt }: CorporateAction,
  change: { readonly state: ActionState; readonly waiting: ActionWait },
): Promise<void> {
  await db
    .update(corporateActions)
    .set({ ...change, attempt: attempt + 1 })
    .where(and(eq(corporateActions.id, id), eq(corporateActions.state, state), eq(corporateActions.attempt, attempt)));
}

/**
 * Actions that are due, those first that were gone on with longest ago: so many that wait for nothing, and so many that do, so that neither keeps back
 * the other. They count as gone on with now.
 */
export async function takeDueActions(
  db: Database,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    WITH due AS (
      SELECT id, tried_at, row_number() OVER (PARTITION BY waiting IS NULL ORDER BY tried_at) AS turn
      FROM (SELECT * FROM corporate_actions WHERE state IN ${OPEN} UNION ALL SELECT * FROM corporate_actions WHERE state = ${EFFECTIVE})
      WHERE CASE state WHEN 'announced' THEN coalesce(record_at, due_at) WHEN 'reversing' THEN 0 ELSE due_at END <= CAST(${now} AS INTEGER))
    UPDATE corporate_actions SET tried_at = CAST(${now} AS INTEGER)
    WHERE id IN (SELECT id FROM due WHERE turn <= CAST(${limit} AS INTEGER))
    RETURNING id`);
  return rows.map(({ id }) => id);
}

/** Other names of a security take effect: security, asset and action change together, once. */
export async function applyNames(
  db: Database,
  { id, security }: CorporateAction,
  { assetName, cusip, isin }: NameChangeTerms,
  now: number,
): Promise<void> {
  const isDue = sql`EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${id} AND state = 'announced')`;
  await sqlBatch(db, [
    sql`
      UPDATE securities SET asset_name = coalesce(${assetName}, asset_name), cusip = coalesce(${cusip}, cusip),
        isin = coalesce(${isin}, isin), version = version + 1, updated_at = ${now}
      WHERE id = ${security} AND ${isDue}`,
    sql`UPDATE assets SET name = coalesce(${assetName}, name) WHERE id = ${security} AND ${isDue}`,
    sql`UPDATE corporate_actions SET state = 'completed', ended_at = ${now}, waiting = NULL WHERE id = ${id} AND state = 'announced'`,
  ]);
}

/** Securities that an action has halted, and that no split or merger needs halted: none is due or under way. With their version; chance decides which come first. */
export function actionHalts(
  db: Database,
  { security, now, limit }: { readonly security: string | null; readonly now: number; readonly limit: number },
): Promise<{ readonly id: string; readonly version: number }[]> {
  const isMeant = security === null ? sql`TRUE` : sql`s.id = ${security}`;
  return db.all(sql`
    SELECT s.id, s.version FROM securities s
    WHERE s.state = 'halted' AND s.halted_by = 'action' AND ${isMeant} AND NOT EXISTS (
      SELECT 1 FROM corporate_actions a WHERE a.security = s.id AND (a.type = 'stock_split' OR ${ENDS_SHARES})
        AND (a.state IN ('effective', 'recorded', 'funding', 'funded') OR (a.state = 'announced' AND a.due_at <= CAST(${now} AS INTEGER))))
    ORDER BY random() LIMIT CAST(${limit} AS INTEGER)`);
}
