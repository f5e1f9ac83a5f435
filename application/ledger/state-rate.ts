import { findOperatorChange, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { findRate, type RateRow } from '../../data/markets/rates.ts';
import type { DollarRate } from '../../domain/money/dollar-rate.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { transact } from './transact.ts';

export type RateError =
  /** Rates are stated for as many assets as may be. */
  | { readonly reason: 'too_many_rates'; readonly ratesMax: number }
  /** It may have been stated: the same action finds out. */
  | { readonly reason: 'outcome_unknown' };

interface RateStatement {
  /** Id of the asset. */
  readonly asset: string;
  /** In units. */
  readonly rate: DollarRate;
  /** The same as the operator states it, for the audit trail. */
  readonly stated: DollarRate;
  readonly action: OperatorAction;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Writers that lost a race against another statement about the same asset try again. */
const TRIES_MAX = 5;

/**
 * States dollars for an asset, with who did it; once per action id. When this answers `ok`, D1 shows it: orders under a limit in money that
 * were checked by the rate of before are checked again.
 */
export async function stateRate(
  env: LedgerEnv,
  { asset, rate, stated, action, now }: RateStatement,
): Promise<Result<RateRow, RateError>> {
  const db = database(env.DB);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isCurrent = await projected(env);
    if (!isCurrent && tries > 0) return err({ reason: 'outcome_unknown' });
    const before = await findRate(db, asset);
    const isMade = (await findOperatorChange(db, action, asset)) !== null;
    const isSame = before?.numerator === rate.numerator && before.denominator === rate.denominator;
    if (before !== null && (isMade || (isCurrent && isSame))) return ok(before);
    const outcome = await transact(env, {
      kind: 'rate',
      id: action.id,
      asset,
      expectedVersion: before?.version ?? 0,
      ...rate,
      createdAt: now,
      event: operatorEvent({
        action,
        type: 'operator.rate',
        subject: asset,
        createdAt: now,
        details: { ...stated },
        change: { before: before === null ? null : unitsOf(before), after: rate },
      }),
    });
    switch (outcome.type) {
      case 'stale':
      case 'id_conflict':
        continue;
      case 'too_many_rates':
        return err({ reason: 'too_many_rates', ratesMax: outcome.ratesMax });
      case 'outcome_unknown':
        return err({ reason: 'outcome_unknown' });
      case 'done': {
        const made = (await projected(env)) ? await findRate(db, asset) : null;
        return made === null ? err({ reason: 'outcome_unknown' }) : ok(made);
      }
    }
  }
  throw new Error(`the rate of ${asset} kept changing`);
}

function unitsOf({ numerator, denominator }: DollarRate): DollarRate {
  return { numerator, denominator };
}
