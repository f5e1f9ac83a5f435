import type { z } from 'zod';
import type { BridgeEvent } from '../../domain/bridge/told-changes.ts';
import type { SecurityEvent, TenantEvent, WebhookEvent } from '../../domain/webhooks/webhook-event.ts';
import type { BridgeFacts } from './bridge-events.ts';
import type { EVENT_PAYLOADS } from './events.ts';

type Payload<Type extends WebhookEvent> = z.infer<(typeof EVENT_PAYLOADS)[Type]>;
type Sample<Type extends WebhookEvent> = Omit<Payload<Type>, 'webhook_event'> & {
  readonly webhook_event: Omit<Payload<Type>['webhook_event'], 'event_id' | 'event_type' | 'endpoint' | 'timestamp'>;
};

/** No id that the exchange gives begins so. */
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [SECURITY, TRADE, INSTRUCTION, ACTION] = [1, 2, 3, 4].map(idOf) as [string, string, string, string];
const [TRANSFER, ACCOUNT, PAYOUT] = [5, 6, 7].map(idOf) as [string, string, string];
const HASH = `0x${'5a'.repeat(32)}`;
const TIME = '2026-10-05T16:02:41.000Z';

const partyOf = (number: number, firm: string) => ({
  investor_id: idOf(number),
  account_id: idOf(number + 1),
  account_type: 'individual' as const,
  broker_dealer: { firm_name: firm, crd_number: '000000', finra_member: true },
  compliance_ref: {
    endpoint: `/v1/investors/${idOf(number)}/compliance`,
    description: 'Identity, accreditation and screening of the investor',
  },
});
const BUYER = partyOf(10, 'Sample Securities');
const SELLER = partyOf(20, 'Example Brokerage');
const commissionOf = ({ broker_dealer: { firm_name, crd_number } }: typeof BUYER, commission_amount: number) => ({
  ...{ firm_name, crd_number, commission_type: 'flat_fee' as const },
  ...{ commission_rate: null, commission_amount, currency: 'USD' },
});
const AGENT = {
  firm_name: 'Sample Transfer Agents',
  sec_registered: true,
  sec_registration_number: '84-00000',
  acknowledgment: {
    acknowledged: false,
    acknowledged_at: null,
    transfer_instruction_id: INSTRUCTION,
    record_date: null,
    units_to_transfer: 10,
    status: 'pending_acknowledgment',
  },
};
const RECIPIENT = { recipient_id: 'sample-agent', name: AGENT.firm_name, role: 'transfer_agent' } as const;
const HEAD = { version: '1.0.0' } as const;
const SETTLEMENT_HEAD = {
  ...HEAD,
  recipients: [{ ...RECIPIENT, delivered_at: TIME, delivery_status: 'delivered' as const }],
};

/** A deposit as it stands while its funds are seen; amounts are of a coin of six decimals on both sides. */
const DEPOSIT: BridgeFacts = {
  transfer_id: TRANSFER,
  sequence: 2,
  hostname: 'bridge.example.com',
  state: 'confirming',
  from: 'awaiting_funds',
  cause: 'funds_seen',
  changed_at: TIME,
  asset: 'USDC',
  source: { chain: 'ethereum', address: '0x00000000000000000000000000000000005a4d91' },
  destination: { account_id: ACCOUNT },
  quote: { amount_in: '25000000', fee: '25000', amount_out: '24975000', expires_at: '2026-10-05T16:30:00.000Z' },
  commitment: '5a'.repeat(32),
  funds: { reference: `${HASH}:0`, amount: '25000000', is_lost: false },
  payment: null,
  other_funds: [],
  returned_to: null,
  refund_reason: null,
  debit_refusal: null,
  is_uncovered: false,
  waits_until: null,
  created_at: '2026-10-05T16:00:00.000Z',
};
const PAID = { kind: 'payout', reference: PAYOUT, transaction: null } as const;
const REFUND = { kind: 'refund', reference: '7', transaction: HASH } as const;
const OTHER = { payer: '0x0000000000000000000000000000000000e4a9b1', reference: `${HASH}:1`, amount: '25000000' };
const UNTIL = '2026-10-06T16:02:41.000Z';

const BRIDGE_SAMPLES: Readonly<Record<BridgeEvent, Partial<BridgeFacts>>> = {
  'bridge.transfer.awaiting_funds': {
    ...{ state: 'awaiting_funds', sequence: 1, from: null, cause: null, funds: null },
    waits_until: DEPOSIT.quote.expires_at,
  },
  'bridge.transfer.confirming': {},
  'bridge.transfer.attesting': { state: 'attesting', from: 'confirming', cause: 'funds_confirmed', waits_until: UNTIL },
  'bridge.transfer.queued': { state: 'queued', from: 'limit_check', cause: 'limit_checked', waits_until: UNTIL },
  'bridge.transfer.challenge': { state: 'challenge', from: 'limit_check', cause: 'limit_checked', waits_until: UNTIL },
  'bridge.transfer.co_signing': { state: 'co_signing', from: 'challenge', cause: 'clock', waits_until: UNTIL },
  'bridge.transfer.broadcast': {
    ...{ state: 'broadcast', from: 'signing', cause: 'payment_sent', waits_until: UNTIL },
    payment: { ...PAID, transaction: HASH },
  },
  'bridge.transfer.confirmed': { state: 'confirmed', from: 'signing', cause: 'payment_confirmed', payment: PAID },
  'bridge.transfer.refundable': {
    ...{ state: 'refundable', from: 'challenge', cause: 'vetoed', refund_reason: 'vetoed' },
  },
  'bridge.transfer.refund_broadcast': {
    ...{ state: 'refund_broadcast', from: 'refund_signing', cause: 'payment_sent', waits_until: UNTIL },
    ...{ refund_reason: 'vetoed', payment: REFUND },
  },
  'bridge.transfer.refunded': {
    ...{ state: 'refunded', from: 'refund_broadcast', cause: 'payment_confirmed' },
    ...{ refund_reason: 'vetoed', payment: REFUND },
  },
  'bridge.transfer.expired': { state: 'expired', from: 'awaiting_funds', cause: 'clock', funds: null },
  'bridge.transfer.paid_by_other': {
    ...{ state: 'paid_by_other', from: 'expired', cause: 'others_seen', funds: null, other_funds: [OTHER] },
  },
  'bridge.transfer.cancelling': {
    ...{ state: 'signing', from: 'signing', cause: 'vetoed', waits_until: UNTIL },
    ...{ refund_reason: 'vetoed', payment: PAID },
  },
  'bridge.transfer.uncovered': {
    ...{ state: 'confirmed', from: 'confirmed', cause: 'funds_lost', payment: PAID, is_uncovered: true },
    funds: { reference: `${HASH}:0`, amount: '25000000', is_lost: true },
  },
  'bridge.transfer.covered': { state: 'confirmed', from: 'confirmed', cause: 'funds_seen', payment: PAID },
};

function bridgeSamples() {
  const samples = Object.entries(BRIDGE_SAMPLES).map(([type, facts]) => [
    type,
    { webhook_event: HEAD, ...DEPOSIT, ...facts },
  ]);
  return Object.fromEntries(samples) as { readonly [Type in BridgeEvent]: Sample<Type> };
}

const SECURITY_SAMPLES: { readonly [Type in SecurityEvent]: Sample<Type> } = {
  'trade.executed': {
    webhook_event: {
      version: '2.0.0',
      transaction_type: 'secondary_market_transfer',
      blockchain_transaction_id: HASH,
      recipients: [{ ...RECIPIENT, delivered_at: null, delivery_status: 'pending' }],
    },
    transaction: {
      transaction_id: TRADE,
      transaction_type: 'secondary_market_transfer',
      status: 'pending_compliance_clearance',
      initiated_at: TIME,
      description: 'Transfer of 10 of Sample Robotics Series B at 43.25 USD',
      security: {
        asset_id: SECURITY,
        asset_name: 'Sample Robotics Series B',
        asset_type: 'private_security',
        security_class: 'Preferred Stock',
        share_class: 'Series B',
        cusip: null,
        isin: null,
        issuer_id: 'sample-robotics',
        issuer_name: 'Sample Robotics, Inc.',
        issuer_type: 'Private Corporation',
        number_of_shares: 10,
        price_per_share: 43.25,
        gross_trade_amount: 432.5,
        accrued_interest: 0,
        net_trade_amount: 432.5,
        bid_price: 43,
        ask_price: 43.5,
        currency: 'USD',
        trade_execution_datetime: TIME,
        price_determination_method: 'order_book',
        last_valuation_price: 42.5,
        last_valuation_date: '2026-06-30',
        commissions: {
          buyer_broker_dealer: commissionOf(BUYER, 1),
          seller_broker_dealer: commissionOf(SELLER, 1),
          total_commissions: 2,
        },
      },
      settlement: {
        settlement_date: TIME,
        settlement_type: 'bilateral',
        settlement_status: 'pending',
        settlement_currency: 'USD',
      },
      restrictions: {
        legend_required: true,
        rule_144_holding_period_met: false,
        transfer_restrictions: 'Right of first refusal of the issuer',
        lock_up_expiry_date: null,
      },
    },
    buyer: BUYER,
    seller: SELLER,
    transfer_agent: AGENT,
  },
  'settlement.recorded': { webhook_event: SETTLEMENT_HEAD, trade_id: TRADE, tx_hash: HASH, block_number: 1 },
  'settlement.finalized': { webhook_event: SETTLEMENT_HEAD, trade_id: TRADE, status: 'SETTLED', tx_hash: HASH },
  'transfer.initiated': {
    webhook_event: HEAD,
    transfer_instruction_id: INSTRUCTION,
    trade_id: TRADE,
    buyer: BUYER,
    seller: SELLER,
    units: 10,
    security: {
      security_id: SECURITY,
      asset_name: 'Sample Robotics Series B',
      share_class: 'Series B',
      cusip: null,
      isin: null,
      issuer_name: 'Sample Robotics, Inc.',
    },
    transfer_agent: AGENT,
  },
  'transfer.completed': {
    webhook_event: HEAD,
    transfer_instruction_id: INSTRUCTION,
    trade_id: TRADE,
    security_id: SECURITY,
    units: 10,
    status: 'completed',
    record_date: '2026-10-05',
    new_certificate_number: 'SAMPLE-0001',
    legend_applied: true,
    cap_table_updated_at: TIME,
  },
  'dividend.declared': {
    webhook_event: HEAD,
    corporate_action_id: ACTION,
    security_id: SECURITY,
    record_date: '2026-12-01',
    payment_date: '2026-12-15',
    amount_per_share: 0.25,
    currency: 'USD',
    description: 'Quarterly cash dividend, fourth quarter of 2026',
  },
  'corporate_action.announced': {
    webhook_event: HEAD,
    corporate_action_id: ACTION,
    security_id: SECURITY,
    action_type: 'stock_split',
    effective_date: '2026-12-15',
    ratio_from: 2,
    ratio_to: 3,
    counterparty: null,
    cash_per_share: null,
    currency: null,
    surviving_security_id: null,
    asset_name: null,
    cusip: null,
    isin: null,
    description: 'Three shares for two',
  },
};

const TENANT_SAMPLES: { readonly [Type in TenantEvent]: Sample<Type> } = {
  'event.capacity_alert': {
    webhook_event: HEAD,
    event_id: idOf(30),
    room_id: idOf(31),
    alert_id: `${idOf(31)}.${Date.parse(TIME)}`,
    status: 'raised',
    capacity: 120,
    occupancy: 121,
    started_at: TIME,
    ended_at: null,
  },
  'event.review_opened': {
    webhook_event: HEAD,
    event_id: idOf(30),
    room_id: idOf(31),
    camera_id: idOf(32),
    review_ids: [idOf(33)],
    opened: 1,
    opened_at: TIME,
  },
};

/** What a test of each event says: whole and of the shape that the event has, of a security, parties, a trade, a transfer and an event that do not exist. */
export const SAMPLE_EVENTS: { readonly [Type in WebhookEvent]: Sample<Type> } = {
  ...SECURITY_SAMPLES,
  ...bridgeSamples(),
  ...TENANT_SAMPLES,
};
