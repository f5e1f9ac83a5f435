import { forgetFindings } from '../../application/accreditation/receive-finding.ts';
import { lookAtChangedPlaces } from '../../application/bridge/look-at-places.ts';
import { refuteRecoveries } from '../../application/bridge/refute-recoveries.ts';
import { expireRefusals } from '../../application/compliance/expire-refusals.ts';
import { shredExpired } from '../../application/events/retention/shred-expired.ts';
import { sweepEvents } from '../../application/events/sweep-events.ts';
import { expireRecords } from '../../application/identity/expire-records.ts';
import { sweepAssetImages } from '../../application/operator/asset-image.ts';
import { forgetPrimeEvents } from '../../application/prime/forget-prime-events.ts';

/**
 * What is due every hour. Each part runs to its end, whatever becomes of the others.
 *
 * @throws AggregateError of what failed
 */
export async function runHourly(env: Env): Promise<void> {
  const results = await Promise.allSettled([
    expireRecords(env),
    expireRefusals(env),
    forgetFindings(env),
    shredExpired(env),
    sweepEvents(env),
    sweepAssetImages(env),
    forgetPrimeEvents(env),
    refuteRecoveries(env, Date.now()),
    lookAtChangedPlaces(env, Date.now()),
  ]);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'scheduled work failed');
}
