import { database } from '../../data/database.ts';
import type { OperatorAction } from '../../data/operator-events.ts';
import { isVenueHalted } from '../../data/venue.ts';
import type { LedgerEnv } from './ledger-of.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { transact } from './transact.ts';

/**
 * Halts trading in every market, or lifts that halt (a market halted by itself stays halted), with who did it; once per action id. When
 * this answers, D1 shows it.
 *
 * @returns false when the outcome is unknown: the same action finds out
 */
export async function setVenueHalted(
  env: LedgerEnv,
  { halted, action, now }: { readonly halted: boolean; readonly action: OperatorAction; readonly now: number },
): Promise<boolean> {
  if (!(await projected(env))) return false;
  if ((await isVenueHalted(database(env.DB))) === halted) return true;
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
