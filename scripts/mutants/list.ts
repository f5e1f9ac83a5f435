import { ACCESS_MUTANTS } from './access.ts';
import { ACTION_MERGER_MUTANTS } from './action-mergers.ts';
import { ACTION_SPLIT_MUTANTS } from './action-splits.ts';
import { ANSWER_MUTANTS } from './answers.ts';
import { AUTHORIZATION_MUTANTS } from './authorization.ts';
import { BAND_MUTANTS } from './bands.ts';
import { BOOK_MUTANTS } from './book.ts';
import { BRIDGE_MUTANTS } from './bridge.ts';
import { BRIDGE_CARDANO_MUTANTS } from './bridge-cardano.ts';
import { BRIDGE_CHAIN_RECORD_MUTANTS } from './bridge-chain-records.ts';
import { BRIDGE_CHAIN_MUTANTS } from './bridge-chains.ts';
import { BRIDGE_CHAIN_ACCOUNT_MUTANTS } from './bridge-chains-accounts.ts';
import { BRIDGE_CHAIN_PAYMENT_MUTANTS } from './bridge-chains-payments.ts';
import { BRIDGE_CHAIN_SHARED_MUTANTS } from './bridge-chains-shared.ts';
import { BRIDGE_TRON_MUTANTS } from './bridge-chains-tron.ts';
import { BRIDGE_COINS_MUTANTS } from './bridge-coins.ts';
import { BRIDGE_CONTRACT_MUTANTS } from './bridge-contracts.ts';
import { BRIDGE_CUSTODY_MUTANTS } from './bridge-custody.ts';
import { BRIDGE_EYE_MUTANTS } from './bridge-eyes.ts';
import { BRIDGE_FEE_MUTANTS } from './bridge-fees.ts';
import { BRIDGE_JOB_MUTANTS } from './bridge-jobs.ts';
import { BRIDGE_KEY_CEREMONY_MUTANTS } from './bridge-key-ceremonies.ts';
import { BRIDGE_KEY_MUTANTS } from './bridge-keys.ts';
import { BRIDGE_LANE_MUTANTS } from './bridge-lanes.ts';
import { BRIDGE_MACHINE_MUTANTS } from './bridge-machines.ts';
import { BRIDGE_MEMO_MUTANTS } from './bridge-memos.ts';
import { BRIDGE_NOTICE_MUTANTS } from './bridge-notices.ts';
import { BRIDGE_PAYEE_MUTANTS } from './bridge-payees.ts';
import { BRIDGE_PAYER_MUTANTS } from './bridge-payers.ts';
import { BRIDGE_PLACE_MUTANTS } from './bridge-places.ts';
import { BRIDGE_REFERENCE_CHECK_MUTANTS } from './bridge-reference-checks.ts';
import { BRIDGE_REFERENCE_MUTANTS } from './bridge-references.ts';
import { BRIDGE_REFUND_MUTANTS } from './bridge-refunds.ts';
import { BRIDGE_RETURN_MUTANTS } from './bridge-returns.ts';
import { BRIDGE_ROOM_MUTANTS } from './bridge-room.ts';
import { BRIDGE_SIGNER_WORKER_MUTANTS } from './bridge-signer-worker.ts';
import { BRIDGE_SIGNING_MUTANTS } from './bridge-signing.ts';
import { BRIDGE_SWEEP_MUTANTS } from './bridge-sweeps.ts';
import { BRIDGE_TENANT_MUTANTS } from './bridge-tenants.ts';
import { BRIDGE_TRANSFER_MUTANTS } from './bridge-transfers.ts';
import { BRIDGE_WAIT_MUTANTS } from './bridge-waits.ts';
import { BRIDGE_WORD_MUTANTS } from './bridge-words.ts';
import { BROKER_MUTANTS } from './broker.ts';
import { BROKER_ROUTE_MUTANTS } from './broker-route.ts';
import { CAMERA_AND_PICTURE_MUTANTS } from './cameras-and-pictures.ts';
import { CHECKPOINT_MUTANTS } from './checkpoints.ts';
import { CLIENT_LIBRARY_MUTANTS } from './client-library.ts';
import { COMMITTEE_MUTANTS } from './committees.ts';
import { COMPLIANCE_MUTANTS } from './compliance.ts';
import { CONSENSUS_MUTANTS } from './consensus.ts';
import { CONSOLE_MUTANTS } from './console.ts';
import { COST_MUTANTS } from './costs.ts';
import { DEPLOYMENT_MUTANTS } from './deployment.ts';
import { DESK_MUTANTS } from './desks.ts';
import { DIVIDEND_MUTANTS } from './dividends.ts';
import { DOOR_MUTANTS } from './doors.ts';
import { END_MUTANTS } from './ends.ts';
import { EVENT_ANSWER_MUTANTS } from './event-answers.ts';
import { EVENT_ROOM_MUTANTS } from './event-room.ts';
import { FACE_MUTANTS } from './faces.ts';
import { FACTOR_MUTANTS } from './factors.ts';
import { FEED_AND_QUEUE_MUTANTS } from './feeds-and-queues.ts';
import { GATEWAY_MUTANTS } from './gateways.ts';
import { JOURNAL_MUTANTS } from './journal.ts';
import { KEY_MUTANTS } from './keys.ts';
import { LEAVING_AND_TRAIL_MUTANTS } from './leaving-and-trail.ts';
import { LEDGER_MUTANTS } from './ledger.ts';
import { LEDGER_ROOM_MUTANTS } from './ledger-room.ts';
import { LIMIT_MUTANTS } from './limits.ts';
import { LOT_AND_APPROVAL_MUTANTS } from './lots-and-approvals.ts';
import { LOT_AND_BAND_MUTANTS } from './lots-and-bands.ts';
import { MAIL_MUTANTS } from './mail.ts';
import { MATCHING_MUTANTS } from './matching.ts';
import type { Mutant } from './mutant.ts';
import { NAME_MUTANTS } from './names.ts';
import { OCF_MUTANTS } from './ocf.ts';
import { ONBOARDING_MUTANTS } from './onboarding.ts';
import { OPERATOR_LIST_MUTANTS } from './operator-lists.ts';
import { ORDER_REPORT_MUTANTS } from './order-reports.ts';
import { OVERVIEW_MUTANTS } from './overview.ts';
import { OWN_ACCOUNT_MUTANTS } from './own-account.ts';
import { OWNER_MUTANTS } from './owners.ts';
import { PARTNER_ANSWER_MUTANTS } from './partner-answers.ts';
import { PARTNER_INVESTOR_MUTANTS } from './partner-investors.ts';
import { PARTNER_MARKET_MUTANTS } from './partner-market.ts';
import { PARTNER_STATE_MUTANTS } from './partner-states.ts';
import { POWER_MUTANTS } from './powers.ts';
import { PRE_IPO_MUTANTS } from './pre-ipo.ts';
import { PRIME_MUTANTS } from './prime.ts';
import { READ_MUTANTS } from './reads.ts';
import { RECEIPT_MUTANTS } from './receipts.ts';
import { REGISTER_MUTANTS } from './register.ts';
import { REPAIR_MUTANTS } from './repairs.ts';
import { SECOND_PERSON_MUTANTS } from './second-person.ts';
import { SIGN_IN_MUTANTS } from './sign-ins.ts';
import { STATUS_MUTANTS } from './status.ts';
import { STORE_MUTANTS } from './stores.ts';
import { SUBSCRIPTION_MUTANTS } from './subscriptions.ts';
import { SURVEILLANCE_MUTANTS } from './surveillance.ts';
import { TENANT_WEBHOOK_MUTANTS } from './tenant-webhooks.ts';
import { TENANT_MUTANTS } from './tenants.ts';
import { WEBHOOK_MUTANTS } from './webhooks.ts';

/** Every rule of money and access whose loss a test must notice. */
export const MUTANTS: readonly Mutant[] = [
  ...LEDGER_MUTANTS,
  ...LEDGER_ROOM_MUTANTS,
  ...OWNER_MUTANTS,
  ...LOT_AND_APPROVAL_MUTANTS,
  ...JOURNAL_MUTANTS,
  ...BOOK_MUTANTS,
  ...MATCHING_MUTANTS,
  ...AUTHORIZATION_MUTANTS,
  ...CONSOLE_MUTANTS,
  ...BAND_MUTANTS,
  ...LIMIT_MUTANTS,
  ...NAME_MUTANTS,
  ...SUBSCRIPTION_MUTANTS,
  ...READ_MUTANTS,
  ...REPAIR_MUTANTS,
  ...ACCESS_MUTANTS,
  ...MAIL_MUTANTS,
  ...SIGN_IN_MUTANTS,
  ...KEY_MUTANTS,
  ...FACTOR_MUTANTS,
  ...POWER_MUTANTS,
  ...EVENT_ANSWER_MUTANTS,
  ...FACE_MUTANTS,
  ...CAMERA_AND_PICTURE_MUTANTS,
  ...LEAVING_AND_TRAIL_MUTANTS,
  ...EVENT_ROOM_MUTANTS,
  ...FEED_AND_QUEUE_MUTANTS,
  ...GATEWAY_MUTANTS,
  ...ORDER_REPORT_MUTANTS,
  ...BRIDGE_MUTANTS,
  ...BRIDGE_CARDANO_MUTANTS,
  ...BRIDGE_COINS_MUTANTS,
  ...BRIDGE_CHAIN_MUTANTS,
  ...BRIDGE_CHAIN_ACCOUNT_MUTANTS,
  ...BRIDGE_CHAIN_RECORD_MUTANTS,
  ...BRIDGE_SWEEP_MUTANTS,
  ...BRIDGE_CHAIN_PAYMENT_MUTANTS,
  ...BRIDGE_CHAIN_SHARED_MUTANTS,
  ...BRIDGE_TRON_MUTANTS,
  ...BRIDGE_CONTRACT_MUTANTS,
  ...BRIDGE_CUSTODY_MUTANTS,
  ...BRIDGE_REFERENCE_MUTANTS,
  ...BRIDGE_REFUND_MUTANTS,
  ...BRIDGE_ROOM_MUTANTS,
  ...BRIDGE_SIGNER_WORKER_MUTANTS,
  ...BRIDGE_SIGNING_MUTANTS,
  ...BRIDGE_JOB_MUTANTS,
  ...BRIDGE_REFERENCE_CHECK_MUTANTS,
  ...BRIDGE_KEY_CEREMONY_MUTANTS,
  ...BRIDGE_KEY_MUTANTS,
  ...BRIDGE_TENANT_MUTANTS,
  ...BRIDGE_TRANSFER_MUTANTS,
  ...BRIDGE_EYE_MUTANTS,
  ...BRIDGE_MACHINE_MUTANTS,
  ...BRIDGE_MEMO_MUTANTS,
  ...BRIDGE_NOTICE_MUTANTS,
  ...BRIDGE_PAYEE_MUTANTS,
  ...BRIDGE_PAYER_MUTANTS,
  ...BRIDGE_RETURN_MUTANTS,
  ...BRIDGE_FEE_MUTANTS,
  ...BRIDGE_LANE_MUTANTS,
  ...BRIDGE_PLACE_MUTANTS,
  ...BRIDGE_WAIT_MUTANTS,
  ...BRIDGE_WORD_MUTANTS,
  ...BROKER_MUTANTS,
  ...BROKER_ROUTE_MUTANTS,
  ...PRE_IPO_MUTANTS,
  ...PRIME_MUTANTS,
  ...CHECKPOINT_MUTANTS,
  ...COMPLIANCE_MUTANTS,
  ...CLIENT_LIBRARY_MUTANTS,
  ...OWN_ACCOUNT_MUTANTS,
  ...COMMITTEE_MUTANTS,
  ...CONSENSUS_MUTANTS,
  ...RECEIPT_MUTANTS,
  ...DEPLOYMENT_MUTANTS,
  ...COST_MUTANTS,
  ...LOT_AND_BAND_MUTANTS,
  ...PARTNER_ANSWER_MUTANTS,
  ...PARTNER_INVESTOR_MUTANTS,
  ...PARTNER_MARKET_MUTANTS,
  ...PARTNER_STATE_MUTANTS,
  ...TENANT_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...TENANT_WEBHOOK_MUTANTS,
  ...REGISTER_MUTANTS,
  ...STORE_MUTANTS,
  ...SECOND_PERSON_MUTANTS,
  ...END_MUTANTS,
  ...OCF_MUTANTS,
  ...ONBOARDING_MUTANTS,
  ...SURVEILLANCE_MUTANTS,
  ...DESK_MUTANTS,
  ...OPERATOR_LIST_MUTANTS,
  ...STATUS_MUTANTS,
  ...DIVIDEND_MUTANTS,
  ...ANSWER_MUTANTS,
  ...DOOR_MUTANTS,
  ...ACTION_MERGER_MUTANTS,
  ...ACTION_SPLIT_MUTANTS,
  ...OVERVIEW_MUTANTS,
];
