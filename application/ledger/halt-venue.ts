import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { isVenueHalted } from '../../data/markets/venue.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { transact } from './transact.ts';

/**
 * Halts trading in every market, or lifts that halt (a market halted by itself stays halted), with who did it; once per action id. A
 * D1 that is behind stops it as little as a change of facts (change-facts.ts).
 *
 * @returns false when the outcome is unknown: the same action finds out
 */
export async function setVenueHalted(
  env: LedgerEnv,
  { halted, action, now }: { readonly halted: boolean; readonly action: OperatorAction; readonly now: number },
): Promise<boolean> {
  const isCurrent = await projected(env);
  if (isCurrent && (await isVenueHalted(database(env.DB))) === halted) return true;
  const { type } = await transact(env, {
    kind: 'venue',
    id: action.id,
    halted,
    createdAt: now,
    event: operatorEvent({
      action,
      type: 'operator.venue_halt',
      subject: 'venue',
      createdAt: now,
      details: {},
      change: { before: { halted: !halted }, after: { halted } },
    }),
  });
  return type !== 'outcome_unknown' && projected(env);
}
