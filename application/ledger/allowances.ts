import { uuidv7 } from 'uuidv7';
import { AMOUNT_MAX } from '../../domain/ledger/balances.ts';
import type { ChangeOutcome } from '../../domain/ledger/outcomes.ts';
import type { ExpectedBalance, Grant } from '../../domain/ledger/transactions.ts';
import { type BalanceOf, readBalances } from './balances.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { type OutcomeUnknown, transact } from './transact.ts';

/** What counts against a limit now. */
interface Usage {
  /** Scaled integer, of the limit's unit. */
  readonly used: number;
  /** Balances that it was worked out from. */
  readonly expect: readonly ExpectedBalance[];
}

/** What an account may still use of a limit. All amounts are scaled integers of one unit. */
export interface Allowance {
  readonly account: string;
  /** Balance asset that stands for the limit. */
  readonly asset: string;
  /** The limit itself; beyond AMOUNT_MAX it is that. */
  readonly limit: number;
  /** Null when it cannot be known now. */
  readonly usage: (balanceOf: BalanceOf) => Usage | Promise<Usage | null>;
}

/** Other changes of the same balance that an alignment gives way to before it gives up. */
const ATTEMPTS_MAX = 5;

/** Moves an allowance from boundary:limits to an account, or (negative amount) back. @internal */
export function grantAllowance(env: LedgerEnv, grant: Omit<Grant, 'kind'>): Promise<ChangeOutcome | OutcomeUnknown> {
  return transact(env, { kind: 'grant', ...grant });
}

/**
 * Brings an allowance's balance, available and held together, to limit − used: grants what has become free, takes back what no
 * longer is, as far as no open order holds it. The grant is made only if the balances are still those it was worked out from, so that
 * two at once never give twice.
 *
 * @returns false when the ledger or what it needs to know is out of reach
 */
export async function alignAllowance(
  env: LedgerEnv,
  { account, asset, limit, usage }: Allowance,
  now: number,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const balanceOf = await readBalances(env, account);
    const use = balanceOf === null ? null : await usage(balanceOf);
    if (balanceOf === null || use === null) return false;
    const { available, held } = balanceOf(asset);
    const wanted = Math.max(0, Math.min(limit, AMOUNT_MAX) - use.used) - available - held;
    const amount = Math.max(wanted, -available);
    if (amount === 0) return true;
    const expect = [{ account, asset, available, held }, ...use.expect];
    const { type } = await grantAllowance(env, { id: uuidv7(), account, asset, amount, createdAt: now, expect });
    if (type === 'outcome_unknown') return false;
    if (type === 'done') return true;
  }
  return true;
}
