import type { AccountBalance } from '../../domain/ledger/records.ts';
import { askLedger } from './ask-ledger.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { settleBooks } from './settle-before-read.ts';

/** The balance of each asset, zeros of those that an account has none of. */
export type BalanceOf = (asset: string) => AccountBalance;

/** What an account has by the ledger itself; null when it is out of reach. */
export async function readBalances(env: LedgerEnv, account: string): Promise<BalanceOf | null> {
  const balances = await askLedger(env, (ledger) => ledger.balances(account));
  if (balances === null) return null;
  const byAsset = new Map(balances.map((balance) => [balance.asset, balance]));
  return (asset) => byAsset.get(asset) ?? { asset, available: 0, held: 0, cost: 0 };
}

/** The same once the ledger has everything that the account's books have acknowledged. */
export async function readSettledBalances(env: LedgerEnv, account: string): Promise<BalanceOf | null> {
  return (await settleBooks(env, account)) === 'unreachable' ? null : readBalances(env, account);
}

/** All that an account has by the ledger, once that has everything that its books have acknowledged; null when it is out of reach. */
export async function listSettledBalances(env: LedgerEnv, account: string): Promise<AccountBalance[] | null> {
  if ((await settleBooks(env, account)) === 'unreachable') return null;
  return askLedger(env, (ledger) => ledger.balances(account));
}
