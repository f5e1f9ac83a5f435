import { sql } from 'drizzle-orm';
import type { ComplianceFacts } from '../domain/accounts/account.ts';
import { type AccountRow, findAccount } from './accounts.ts';
import type { Database } from './database.ts';
import { findOperatorChange, type OperatorAction, operatorEvent } from './operator-events.ts';
import { sqlBatch } from './sql-batch.ts';

/** Facts before and after; equal when there was nothing to change. */
export interface FactsChange {
  readonly before: ComplianceFacts;
  readonly after: ComplianceFacts;
}

/** Writers that lost a race against another change of the same account try again. */
const TRIES_MAX = 5;

/**
 * Changes facts of an account, raises its factsVersion, so that no order checked under the old ones is admitted, and writes down who
 * did it; once per action id. Null for an account that does not exist or is a boundary account.
 */
export async function changeFacts(
  db: Database,
  change: {
    readonly account: string;
    readonly facts: Partial<ComplianceFacts>;
    readonly action: OperatorAction;
    readonly now: number;
  },
): Promise<FactsChange | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const made = await findOperatorChange<ComplianceFacts>(db, change.action, change.account);
    if (made !== null) return made;
    const account = await findAccount(db, change.account);
    if (account === null || account.boundary) return null;
    const before = factsOf(account);
    const after = { ...before, ...change.facts };
    if (JSON.stringify(before) === JSON.stringify(after)) return { before, after };
    await tryChange(db, change, account.factsVersion, { before, after });
  }
  throw new Error(`facts of account ${change.account} kept changing`);
}

async function tryChange(
  db: Database,
  { account, action, now }: { account: string; action: OperatorAction; now: number },
  factsVersion: number,
  { before, after }: FactsChange,
): Promise<void> {
  const unchanged = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account} AND facts_version = ${factsVersion})`;
  await sqlBatch(db, [
    operatorEvent({
      action,
      type: 'operator.account_facts',
      subject: account,
      createdAt: now,
      details: {},
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      when: unchanged,
    }),
    sql`UPDATE accounts SET
          kyc_status = ${after.kycStatus}, accreditation_status = ${after.accreditationStatus},
          accreditation_type = ${after.accreditationType}, us_person = ${after.usPerson ? 1 : 0},
          annual_income = ${after.annualIncome}, net_worth = ${after.netWorth}, frozen = ${after.frozen ? 1 : 0},
          facts_version = facts_version + 1
        WHERE id = ${account} AND facts_version = ${factsVersion}`,
  ]);
}

function factsOf(account: AccountRow): ComplianceFacts {
  return {
    kycStatus: account.kycStatus as ComplianceFacts['kycStatus'],
    accreditationStatus: account.accreditationStatus as ComplianceFacts['accreditationStatus'],
    accreditationType: account.accreditationType as ComplianceFacts['accreditationType'],
    usPerson: account.usPerson,
    annualIncome: account.annualIncome,
    netWorth: account.netWorth,
    frozen: account.frozen,
  };
}
