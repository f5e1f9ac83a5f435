import { BOUNDARY_ACCOUNT } from '../ledger/boundary-accounts.ts';
import type { ReceivedLot } from '../ledger/records.ts';
import type { RegisterLeg } from '../ledger/transactions.ts';
import type { RegisterChange } from './register-event.ts';

/**
 * What the ledger does for an event that it takes part in: each account its own leg, holders without one together, and issuance the rest. Lots are
 * `<event>.<line>`.
 *
 * @param changes in the order of their lines
 */
export function registerLegs(
  event: { readonly id: string; readonly createdAt: number },
  changes: readonly RegisterChange[],
): RegisterLeg[] {
  const legs = new Map<string, { change: number; lots: ReceivedLot[] }>();
  const legOf = (account: string) => {
    const leg = legs.get(account) ?? { change: 0, lots: [] };
    legs.set(account, leg);
    return leg;
  };
  for (const [line, { account, shares, cost, acquiredAt, restrictionEndsAt, offeringType }] of changes.entries()) {
    const leg = legOf(account ?? BOUNDARY_ACCOUNT.register);
    leg.change += shares;
    legOf(BOUNDARY_ACCOUNT.issuance).change -= shares;
    if (account === null || shares < 0) continue;
    const restriction = { restrictionEndsAt, offeringType };
    const acquired = acquiredAt ?? event.createdAt;
    leg.lots.push({ id: `${event.id}.${line}`, account, quantity: shares, cost, acquiredAt: acquired, ...restriction });
  }
  return [...legs].flatMap(([account, { change, lots }]) => (change === 0 ? [] : { account, change, lots }));
}
