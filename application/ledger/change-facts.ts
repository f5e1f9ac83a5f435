import { findAccount } from '../../data/accounts/accounts.ts';
import { findOperatorChange, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { type ComplianceFacts, complianceFactsOf } from '../../domain/accounts/account.ts';
import { revokes } from '../../domain/accounts/revokes.ts';
import type { RegCfAmounts } from '../../domain/investment-limit/reg-cf-limit.ts';
import type { Side } from '../../domain/orders/order.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { openBooks } from './open-books.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { regCfCeiling } from './reg-cf-ceiling.ts';
import { transact } from './transact.ts';

/** Facts before and after; equal when there was nothing to change. */
interface ChangedFacts {
  readonly before: ComplianceFacts;
  readonly after: ComplianceFacts;
  /** Books that must cancel the account's open orders: all of them, or those of one side. */
  readonly cancelIn: readonly string[];
  readonly side: Side | null;
}

/** The account does not exist or is a boundary account; or the change may have been made: the same action finds out. */
export interface FactsChangeError {
  readonly reason: 'account_not_found' | 'outcome_unknown';
}

type FactsChangeResult = Result<ChangedFacts, FactsChangeError>;

export interface FactsChangeRequest {
  readonly account: string;
  /** Facts to be; a function where they follow from records, which are then read after the version that the change asserts. */
  readonly facts: Partial<ComplianceFacts> | (() => Promise<Partial<ComplianceFacts>>);
  readonly action: OperatorAction;
  /** Dollar amounts in force of the Reg CF limit. */
  readonly regCfAmounts: RegCfAmounts;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Writers that lost a race against another change of the same account try again. */
const TRIES_MAX = 5;

/**
 * Changes facts of an account, so that no order checked under the old ones is admitted, with who did it; once per action id. When this
 * answers `ok`, D1 shows it. A D1 that is behind stops no change: what it was worked out from is asserted by its version.
 */
export async function changeFacts(env: LedgerEnv, change: FactsChangeRequest): Promise<FactsChangeResult> {
  const db = database(env.DB);
  const { account: id, action, regCfAmounts, now } = change;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isCurrent = await projected(env);
    if (!isCurrent && tries > 0) return err({ reason: 'outcome_unknown' });
    const made = await findOperatorChange<ComplianceFacts>(db, action, id);
    const account = await findAccount(db, id);
    if (made !== null) {
      const inForce = isCurrent && account !== null ? complianceFactsOf(account) : made.after;
      return withBooks(env, { account: id, before: made.before, after: made.after, inForce });
    }
    if (account === null || account.boundary) return err({ reason: 'account_not_found' });
    const before = complianceFactsOf(account);
    const after = { ...before, ...(isDerived(change.facts) ? await change.facts() : change.facts) };
    // Facts that follow from records are written even where they are the same: a change that has read older records fails then by its version.
    const isSame = isCurrent && !isDerived(change.facts) && JSON.stringify(before) === JSON.stringify(after);
    if (isSame) return withBooks(env, { account: id, before, after, inForce: before });
    const cancelsOrders = revokes(before, after);
    const limited = { account: id, before, after, amounts: regCfAmounts, isCurrent, now };
    const ceiling = cancelsOrders ? null : await regCfCeiling(env, limited);
    if (ceiling === 'unreachable') return err({ reason: 'outcome_unknown' });
    const outcome = await transact(env, {
      kind: 'facts',
      id: action.id,
      account: id,
      expectedVersion: account.factsVersion,
      facts: after,
      cancelsOrders,
      ...(ceiling === null ? {} : { ceiling }),
      createdAt: now,
      event: operatorEvent({
        action,
        type: 'operator.account_facts',
        subject: id,
        createdAt: now,
        details: {},
        change: { before, after },
      }),
    });
    if (outcome.type === 'stale' || outcome.type === 'id_conflict') continue;
    if (outcome.type === 'outcome_unknown' || !(await projected(env))) return err({ reason: 'outcome_unknown' });
    return ok({ before, after, cancelIn: outcome.cancelIn, side: cancelsOrders ? null : 'buy' });
  }
  throw new Error(`facts of account ${id} kept changing`);
}

function isDerived(facts: FactsChangeRequest['facts']): facts is () => Promise<Partial<ComplianceFacts>> {
  return typeof facts === 'function';
}

interface RepeatedChange {
  readonly account: string;
  readonly before: ComplianceFacts;
  readonly after: ComplianceFacts;
  /** Facts of now, which a later change may have made; those of this change where nobody can say. */
  readonly inForce: ComplianceFacts;
}

/** Of a change that was made before. Orders of whoever has been given back since what it took away are theirs to keep. */
async function withBooks(
  env: LedgerEnv,
  { account, before, after, inForce }: RepeatedChange,
): Promise<FactsChangeResult> {
  const cancels = revokes(before, after) && revokes(before, inForce);
  const cancelIn = cancels ? await openBooks(env, account) : [];
  // What a fallen limit has asked of books, they are asked for by the ledger itself.
  return cancelIn === null ? err({ reason: 'outcome_unknown' }) : ok({ before, after, cancelIn, side: null });
}
