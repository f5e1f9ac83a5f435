import { listAccountBalances, listAuditedAccounts } from '../../data/account-balances.ts';
import type { AuditRow } from '../../data/audit/audit-check.ts';
import { database } from '../../data/database.ts';
import type { AccountBalance } from '../../durable-objects/ledger/api.ts';
import type { LedgerEnv } from '../ledger/ledger-of.ts';
import { ledgerOf } from '../ledger/ledger-of.ts';
import { projected } from '../ledger/projected.ts';

/** Each costs a call to the ledger: the boundary accounts and the latest others stand for all. */
const ACCOUNTS_MAX = 500;

/** Compares D1's balances with the ledger's, of the accounts in which nothing moves meanwhile. */
export async function auditProjection(env: LedgerEnv): Promise<AuditRow> {
  const db = database(env.DB);
  const accounts = await listAuditedAccounts(db, ACCOUNTS_MAX);
  const before = await readAll(env, accounts);
  const isCurrent = await projected(env);
  const rows = Map.groupBy(await listAccountBalances(db, accounts), ({ account }) => account);
  const after = await readAll(env, accounts);
  let examined = 0;
  let violation = isCurrent ? null : 'D1 is behind the ledger';
  for (const account of accounts) {
    const inLedger = textOf(before.get(account) ?? []);
    if (inLedger !== textOf(after.get(account) ?? [])) continue;
    examined += 1;
    const inD1 = textOf(rows.get(account) ?? []);
    if (inLedger !== inD1) violation ??= `account ${account} has ${inLedger}, in D1 ${inD1}`;
  }
  return {
    invariant: 'projection',
    claim: 'the balances in D1 are those of the ledger',
    holds: violation === null,
    examined,
    violation,
  };
}

async function readAll(env: LedgerEnv, accounts: readonly string[]): Promise<Map<string, AccountBalance[]>> {
  const ledger = ledgerOf(env);
  const all = await Promise.all(accounts.map((account) => ledger.balances(account)));
  return new Map(accounts.map((account, index) => [account, all[index] ?? []]));
}

/** Balances as one text, by asset; one of nothing is none. */
function textOf(balances: readonly Omit<AccountBalance, 'account'>[]): string {
  return balances
    .filter(({ available, held, cost }) => available !== 0 || held !== 0 || cost !== 0)
    .map(({ asset, available, held, cost }) => `${asset} ${available}/${held}/${cost}`)
    .sort()
    .join(', ');
}
