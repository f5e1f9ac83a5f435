import { lapseTransferRequests } from '../../application/accounts/lapse-requests.ts';
import { forgetFindings } from '../../application/accreditation/receive-finding.ts';
import { pollVerifications } from '../../application/accreditation/request-verification.ts';
import { forgetToolCalls } from '../../application/agent/forget-tool-calls.ts';
import { lookAtChangedPlaces } from '../../application/bridge/look-at-places.ts';
import { refuteRecoveries } from '../../application/bridge/refute-recoveries.ts';
import { watchRelayer } from '../../application/bridge/watch-relayer.ts';
import { reconcileWithBroker } from '../../application/broker/reconcile-with-broker.ts';
import { expireRefusals } from '../../application/compliance/expire-refusals.ts';
import { watchCapacities } from '../../application/events/occupancy/watch-capacity.ts';
import { shredExpired } from '../../application/events/retention/shred-expired.ts';
import { sweepEvents } from '../../application/events/sweep-events.ts';
import { expireRecords } from '../../application/identity/expire-records.ts';
import { completeDueRecoveries } from '../../application/identity/factors/recover-factors.ts';
import { endExpiredKeys } from '../../application/identity/keys/end-expired-keys.ts';
import { resealSecrets } from '../../application/keys/reseal-secrets.ts';
import { settleDue } from '../../application/ledger/settle-due.ts';
import { carryOnListings } from '../../application/listing/carry-on-listing.ts';
import { completeAddressChanges } from '../../application/mail/change-mail-address.ts';
import { carryOverdueMails, forgetMails } from '../../application/mail/sweep-mails.ts';
import { tellByMail } from '../../application/mail/tell-by-mail.ts';
import { expireIdentities } from '../../application/onboarding/expire-identities.ts';
import { sweepIdentities } from '../../application/onboarding/sweep-identities.ts';
import { pollIdentities } from '../../application/onboarding/verify-identity.ts';
import { applyEnds, expireVerifications } from '../../application/operator/accreditation.ts';
import { sweepAssetImages } from '../../application/operator/asset-image.ts';
import { endApplications } from '../../application/operator/end-application.ts';
import { carryOnAssetChanges } from '../../application/operator/follow-asset-change.ts';
import { watchDatabase } from '../../application/operator/watch-database.ts';
import { archiveOrders } from '../../application/orders/archive-orders.ts';
import { archivePayments } from '../../application/partner/actions/archive-payments.ts';
import { carryOnActions } from '../../application/partner/actions/carry-on-actions.ts';
import { screenInvestors } from '../../application/partner/investors/screen-investors.ts';
import { carryOnTransfers } from '../../application/partner/register/transfers.ts';
import { checkRegistrations } from '../../application/partner/registration/check-registrations.ts';
import { carryOnSecurities } from '../../application/partner/securities/follow-security.ts';
import { forgetPrimeEvents } from '../../application/prime/forget-prime-events.ts';
import { watchTrading } from '../../application/surveillance/watch-trading.ts';
import { wakeCheckpointer } from '../../durable-objects/checkpointer/api.ts';
import { wakeRecorder } from '../../durable-objects/recorder/api.ts';
import { wakeSequencer } from '../../durable-objects/sequencer/api.ts';
import { wakeDispatch } from '../../durable-objects/webhook-dispatch/api.ts';

/** As in wrangler.toml. */
const FIVE_MINUTES_CRON = '*/5 * * * *';

/** What a job says that had a budget of its own, and has more to do: the next invocation goes on at once. */
export const MORE_TO_DO = 'more_to_do';

type RunJob = (env: Env) => Promise<unknown>;

const EVERY_FIVE_MINUTES = {
  watch_database: (env) => watchDatabase(env, Date.now()),
  archive_orders: archiveOrders,
  expire_records: expireRecords,
  end_expired_keys: (env) => endExpiredKeys(env, Date.now()),
  change_mail_addresses: (env) => completeAddressChanges(env, Date.now()),
  recover_factors: (env) => completeDueRecoveries(env, Date.now()),
  end_applications: async (env) => ((await endApplications(env, Date.now())) ? MORE_TO_DO : null),
  expire_verifications: expireVerifications,
  apply_accreditation_ends: applyEnds,
  poll_verifications: pollVerifications,
  expire_identities: async (env) => ((await expireIdentities(env)) ? MORE_TO_DO : null),
  poll_identities: async (env) => ((await pollIdentities(env)) ? MORE_TO_DO : null),
  carry_on_asset_changes: carryOnAssetChanges,
  carry_on_listings: carryOnListings,
  reconcile_with_broker: reconcileWithBroker,
  settle_due: settleDue,
  check_registrations: checkRegistrations,
  screen_investors: screenInvestors,
  watch_capacities: watchCapacities,
  tell_by_mail: async (env) => ((await tellByMail(env, Date.now())) ? MORE_TO_DO : null),
  carry_overdue_mails: (env) => carryOverdueMails(env, Date.now()),
  wake_dispatch: (env) => wakeDispatch(env),
  wake_sequencer: wakeSequencer,
  wake_checkpointer: wakeCheckpointer,
  wake_recorder: wakeRecorder,
  carry_on_transfers: carryOnTransfers,
  carry_on_securities: carryOnSecurities,
  carry_on_actions: async (env) => ((await carryOnActions(env, Date.now())) ? MORE_TO_DO : null),
} as const satisfies Readonly<Record<string, RunJob>>;

const EVERY_HOUR = {
  expire_refusals: expireRefusals,
  archive_payments: (env) => archivePayments(env),
  forget_findings: forgetFindings,
  sweep_identities: sweepIdentities,
  shred_expired_events: shredExpired,
  sweep_events: sweepEvents,
  sweep_asset_images: sweepAssetImages,
  forget_prime_events: forgetPrimeEvents,
  forget_tool_calls: (env) => forgetToolCalls(env, Date.now()),
  reseal_secrets: async (env) => ((await resealSecrets(env)) ? MORE_TO_DO : null),
  lapse_transfer_requests: (env) => lapseTransferRequests(env, Date.now()),
  refute_recoveries: (env) => refuteRecoveries(env, Date.now()),
  watch_relayer: watchRelayer,
  forget_mails: (env) => forgetMails(env, Date.now()),
  watch_trading: async (env) => ((await watchTrading(env, Date.now())) ? MORE_TO_DO : null),
  look_at_changed_places: (env) => lookAtChangedPlaces(env, Date.now()),
} as const satisfies Readonly<Record<string, RunJob>>;

/**
 * Everything that is done by the clock, by name. Each is done in an invocation of its own (`run-job.ts`), may be cut off anywhere, and goes on with what is left when it runs
 * again.
 */
export const JOBS: Readonly<Record<string, RunJob>> = { ...EVERY_FIVE_MINUTES, ...EVERY_HOUR };

/** So often a job begins, in minutes; null of one that there is no more. */
export function periodOf(job: string): number | null {
  if (Object.hasOwn(EVERY_FIVE_MINUTES, job)) return 5;
  return Object.hasOwn(EVERY_HOUR, job) ? 60 : null;
}

/** Names of the jobs of a cron. */
export function jobsOf(cron: string): string[] {
  return Object.keys(cron === FIVE_MINUTES_CRON ? EVERY_FIVE_MINUTES : EVERY_HOUR);
}
