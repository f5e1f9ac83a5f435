import { pollVerifications } from '../../application/accreditation/request-verification.ts';
import { reconcileWithBroker } from '../../application/broker/reconcile-with-broker.ts';
import { settleDue } from '../../application/ledger/settle-due.ts';
import { carryOnListings } from '../../application/listing/carry-on-listing.ts';
import { applyEnds, expireVerifications } from '../../application/operator/accreditation.ts';
import { carryOnAssetChanges } from '../../application/operator/follow-asset-change.ts';
import { archiveOrders } from '../../application/orders/archive-orders.ts';
import { carryOnActions } from '../../application/partner/actions/carry-on-actions.ts';
import { screenInvestors } from '../../application/partner/investors/screen-investors.ts';
import { carryOnTransfers } from '../../application/partner/register/transfers.ts';
import { checkRegistrations } from '../../application/partner/registration/check-registrations.ts';
import { carryOnSecurities } from '../../application/partner/securities/follow-security.ts';
import { wakeCheckpointer } from '../../durable-objects/checkpointer/api.ts';
import { wakeRecorder } from '../../durable-objects/recorder/api.ts';
import { wakeSequencer } from '../../durable-objects/sequencer/api.ts';
import { wakeDispatch } from '../../durable-objects/webhook-dispatch/api.ts';

/**
 * What is due every five minutes. Each part runs to its end, whatever becomes of the others.
 *
 * @throws AggregateError of what failed
 */
export async function runEveryFiveMinutes(env: Env): Promise<void> {
  const results = await Promise.allSettled([
    archiveOrders(env),
    expireVerifications(env),
    applyEnds(env),
    pollVerifications(env),
    carryOnAssetChanges(env),
    carryOnListings(env),
    reconcileWithBroker(env),
    settleDue(env),
    checkRegistrations(env),
    screenInvestors(env),
    wakeDispatch(env),
    wakeSequencer(env),
    wakeCheckpointer(env),
    wakeRecorder(env),
    carryOnTransfers(env),
    carryOnSecurities(env),
    carryOnActions(env, Date.now()),
  ]);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'scheduled work failed');
}
