import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import { firstIdOf } from '../../domain/ids/created-at-of.ts';
import { CHECK_KINDS, type CheckKind } from '../../domain/partner/compliance.ts';
import type { DecidedCheck } from '../../domain/partner/screening.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { investorChecks } from '../schema/investors.ts';

export type InvestorCheck = Readonly<typeof investorChecks.$inferSelect>;

/** A request for a check, as it is written down before its provider is asked. */
export interface StartedCheck {
  readonly kind: CheckKind;
  /** UUIDv7. */
  readonly request: string;
  readonly provider: string;
}

/** The compliance record of an investor. */
export function listChecks(db: Database, investor: string): Promise<InvestorCheck[]> {
  return db.select().from(investorChecks).where(eq(investorChecks.investor, investor)).limit(CHECK_KINDS.length);
}

/** Makes a check anew for whoever asks, written down; once per action id. False where a request is open, or the check has changed since it was read. */
export function requestCheck(
  db: Database,
  check: InvestorCheck,
  { request, provider }: StartedCheck,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  const { investor, kind } = check;
  const isAsRead = sql`investor = ${investor} AND kind = ${kind} AND request = ${check.request} AND open = 0`;
  return changeOnce(db, {
    action,
    type: 'partner.check_requested',
    subject: investor,
    details: { kind },
    before: { request: check.request },
    after: { request },
    now,
    when: sql`EXISTS (SELECT 1 FROM investor_checks WHERE ${isAsRead})`,
    writes: (takesPlace) => [
      sql`UPDATE investor_checks SET request = ${request}, request_provider = ${provider}, request_reference = NULL, open = 1, asked_at = ${now}
          WHERE ${isAsRead} AND ${takesPlace}`,
    ],
  });
}

/** The same by itself: what is about to end, was asked of somebody who is asked no more, or was not answered. */
export async function renewCheck(
  db: Database,
  { investor, kind, request }: Pick<InvestorCheck, 'investor' | 'kind' | 'request'>,
  started: StartedCheck,
  now: number,
): Promise<void> {
  await db
    .update(investorChecks)
    .set({
      request: started.request,
      requestProvider: started.provider,
      requestReference: null,
      open: true,
      askedAt: now,
    })
    .where(and(ofCheck(investor, kind), eq(investorChecks.request, request)));
}

/** The provider was asked, and may have said under which id it knows the request. */
export async function noteCheckAsked(
  db: Database,
  { investor, kind, request }: Pick<InvestorCheck, 'investor' | 'kind' | 'request'>,
  askedAt: number,
  requestReference: string | null,
): Promise<void> {
  await db
    .update(investorChecks)
    .set({ askedAt, ...(requestReference === null ? {} : { requestReference }) })
    .where(and(ofCheck(investor, kind), eq(investorChecks.request, request)));
}

/** Writes down what a request has found, once: a finding of an earlier request than the last decides nothing. */
export async function decideCheck(
  db: Database,
  { investor, kind, request, requestProvider }: InvestorCheck,
  { status, checkedAt, expiresAt, reason }: DecidedCheck,
  reference: string,
): Promise<void> {
  await db
    .update(investorChecks)
    .set({
      status,
      checkedAt,
      expiresAt,
      reason,
      reference,
      provider: requestProvider,
      decidedRequest: request,
      open: false,
      applied: false,
    })
    .where(and(ofCheck(investor, kind), eq(investorChecks.request, request), eq(investorChecks.open, true)));
}

/** Facts of so many accounts follow from the check as it was read. One that has changed since, or of which another account was opened, is still to be applied. */
export async function noteCheckApplied(
  db: Database,
  { investor, kind, status, decidedRequest }: InvestorCheck,
  accounts: number,
): Promise<void> {
  const isAll = sql`(SELECT count(*) FROM accounts WHERE user_id = ${investor}) = CAST(${accounts} AS INTEGER)`;
  const decided =
    decidedRequest === null ? isNull(investorChecks.decidedRequest) : eq(investorChecks.decidedRequest, decidedRequest);
  await db
    .update(investorChecks)
    .set({ applied: true })
    .where(and(ofCheck(investor, kind), eq(investorChecks.status, status), decided, isAll));
}

/** Checks that wait for their provider, or for facts to follow, and were not taken up since; longest ago first. */
export function listWaitingChecks(db: Database, before: number, limit: number): Promise<InvestorCheck[]> {
  // As the index has it.
  const waits = sql`(${investorChecks.open} = 1 OR ${investorChecks.applied} = 0)`;
  return db
    .select()
    .from(investorChecks)
    .where(and(waits, lt(investorChecks.askedAt, before)))
    .orderBy(asc(investorChecks.askedAt))
    .limit(limit);
}

/**
 * Checks that have found something which ends before a time, or half of whose life has passed where that is later; that are not being made anew, and
 * were last asked for before a time.
 */
export function listEndingChecks(
  db: Database,
  {
    endsBefore,
    askedForBefore,
    now,
  }: { readonly endsBefore: number; readonly askedForBefore: number; readonly now: number },
  limit: number,
): Promise<InvestorCheck[]> {
  const { open, checkedAt, expiresAt, request } = investorChecks;
  const isHalfOver = lte(sql`${expiresAt} + coalesce(${checkedAt}, 0)`, 2 * now);
  const wasAskedFor = lt(request, firstIdOf(askedForBefore));
  return db
    .select()
    .from(investorChecks)
    .where(and(eq(open, false), lt(expiresAt, endsBefore), isHalfOver, wasAskedFor))
    .orderBy(asc(investorChecks.expiresAt))
    .limit(limit);
}

/** Ends what has passed and speaks no longer, so many at most; facts are to follow. */
export async function expireChecks(db: Database, now: number, limit: number): Promise<void> {
  await db.run(sql`
    UPDATE investor_checks SET status = 'expired', applied = 0, asked_at = 0
    WHERE (investor, kind) IN (SELECT investor, kind FROM investor_checks
                               WHERE status = 'passed' AND expires_at <= ${now} ORDER BY expires_at LIMIT CAST(${limit} AS INTEGER))
      AND status = 'passed'`);
}

function ofCheck(investor: string, kind: CheckKind) {
  return and(eq(investorChecks.investor, investor), eq(investorChecks.kind, kind));
}
