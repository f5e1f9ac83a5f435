/**
 * What the OpenAPI document shows of partners, in the names of its schemas: one security of Lakeside Robotics, listed by an outside trading system, sold by
 * Priya Raman to Juniper Capital LP, and the register that its transfer agent keeps.
 */

const SECURITY = '0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01';
const BUYER = {
  investor_id: '0199a3c4-9d20-7e31-8b44-1f6a2c9d0e02',
  account_id: '0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03',
};
const SELLER = {
  investor_id: '0199a3c5-0e47-7c83-8f76-3b8c4ebf2a04',
  account_id: '0199a3c5-1c58-7d94-8a87-4c9d5fca3b05',
};
const ORDER = '0199a3d0-2f69-7ea5-9b98-5dae60db4c06';
const TRADE = '0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07';
const EVENT = '0199a3d5-6c8b-70c7-9dba-7fca82fd6e08';
const HOLDER = '0199a3d5-7d9c-71d8-8ecb-80db930e7f09';
const WEBHOOK = '0199a3c8-8ead-72e9-9fdc-91ecaa1f8a0a';
const DELIVERY = '0199a3d0-9fbe-73fa-80ed-a2fdbb209b0b';
const SURVIVING = '0199a3c0-6c2f-7b21-8d30-4e6f908b2c0e';
const ACTION = '0199a3d0-aac1-74ab-81fe-b3aecc31ac0c';
const AGENT = 'harbor-transfer-6f1c';
const HASH = '0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42';

export const RESTRICTIONS = {
  legend_required: true,
  rule_144_holding_period_met: false,
  transfer_restrictions: 'Right of first refusal of the issuer, 30 days.',
  lock_up_expiry_date: null,
};
export const AGENT_RESTRICTIONS = { lock_up_expiry_date: '2027-03-01' };
const IN_EFFECT = { ...RESTRICTIONS, ...AGENT_RESTRICTIONS };

export const CROSS_LIST_REQUEST = {
  asset_name: 'Lakeside Robotics Series B Preferred',
  asset_type: 'private_security',
  security_class: 'preferred_stock',
  share_class: 'Series B',
  issuer_id: 'LSR-0042',
  issuer_name: 'Lakeside Robotics, Inc.',
  issuer_type: 'private_corporation',
  cusip: '037833100',
  isin: 'US0378331005',
  currency: 'USD',
  last_valuation_price: 42.5,
  last_valuation_date: '2026-06-30',
  restrictions: RESTRICTIONS,
  transfer_agent_id: AGENT,
};
export const SECURITY_EDIT = { last_valuation_price: 44.25, last_valuation_date: '2026-09-30' };
export const LISTED_SECURITY = {
  security_id: SECURITY,
  status: 'listed',
  status_reason: null,
  ...CROSS_LIST_REQUEST,
  restrictions: IN_EFFECT,
  lister_restrictions: RESTRICTIONS,
  agent_restrictions: AGENT_RESTRICTIONS,
  transfer_agent_state: 'accepted',
  symbol: 'LSRB',
  market: 'LSRB-USD',
  created_at: '2026-10-01T14:02:11.000Z',
  updated_at: '2026-10-02T09:30:00.000Z',
};
export const RESTRICTIONS_IN_EFFECT = {
  ...IN_EFFECT,
  security_id: SECURITY,
  lister_restrictions: RESTRICTIONS,
  agent_restrictions: AGENT_RESTRICTIONS,
};
export const SECURITY_QUOTE = { bid: 43.1, ask: 43.6, last: 43.25 };
export const SECURITY_WITH_QUOTE = { ...LISTED_SECURITY, quote: SECURITY_QUOTE };
export const SECURITY_REASON = { reason: 'The issuer has announced material news.' };

export const INVESTOR_ACCOUNT = {
  account_id: BUYER.account_id,
  kyc_status: 'completed',
  accreditation_status: 'completed',
  accreditation_type: '506c',
  frozen: false,
  created_at: '2026-10-01T15:10:00.000Z',
};
export const INVESTOR_KEY_REQUEST = {
  name: 'FIX session of the desk',
  scopes: ['read', 'trade'],
  security_ids: [SECURITY],
  ip_allowlist: ['203.0.113.0/24'],
};
export const INVESTOR_KEY = {
  key_id: '019b76da-a800-7000-8000-0000000000c1',
  name: 'FIX session of the desk',
  scopes: ['read', 'trade'],
  markets: ['LSRB-USD'],
  ip_allowlist: ['203.0.113.0/24'],
  status: 'active',
  created_at: '2026-10-01T15:12:00.000Z',
  revoked_at: null,
  expires_at: '2027-10-01T00:00:00.000Z',
  last_used_on: '2026-10-02',
};
export const SECRET_OF_KEY = 'shown-once-9b1f4c2e7a';
export const INVESTOR = {
  investor_id: BUYER.investor_id,
  name: 'Juniper Capital LP',
  account_type: 'entity',
  country: 'US',
  us_person: true,
  accounts: [INVESTOR_ACCOUNT],
  created_at: '2026-10-01T15:08:00.000Z',
};
export const COMPLIANCE_CHECK = {
  kind: 'sanctions_screening',
  status: 'passed',
  provider: 'http',
  reference: 'scr_81f2',
  reason: null,
  checked_at: '2026-10-01T15:09:30.000Z',
  expires_at: '2026-10-31T15:09:30.000Z',
  in_progress: false,
};

const BROKER_DEALER = { firm_name: 'Juniper Securities LLC', crd_number: '123456' };
export const ORDER_REQUEST = {
  security_id: SECURITY,
  side: 'buy',
  order_type: 'limit',
  quantity: 100,
  price: 43.5,
  time_in_force: 'day',
  ...BUYER,
  broker_dealer: BROKER_DEALER,
};
export const PLACED_ORDER = {
  order_id: ORDER,
  ...ORDER_REQUEST,
  stop_price: null,
  expires_at: '2026-10-06T04:00:00.000Z',
  status: 'filled',
  filled_quantity: 100,
  average_price: 43.25,
  reason: null,
  created_at: '2026-10-05T14:31:07.412Z',
};
export const CANCELLED_ORDER = {
  order_id: ORDER,
  status: 'cancelled',
  filled_quantity: 40,
  cancelled_at: '2026-10-05T14:40:00.120Z',
};

export const QUOTE = { ...SECURITY_QUOTE, security_id: SECURITY, timestamp: '2026-10-05T14:31:08.000Z' };
export const BOOK = {
  security_id: SECURITY,
  bids: [
    { price: 43.1, quantity: 250 },
    { price: 43, quantity: 1_000 },
  ],
  asks: [{ price: 43.6, quantity: 400 }],
  sequence: 118,
  timestamp: '2026-10-05T14:31:08.000Z',
};
export const TRADES = {
  security_id: SECURITY,
  trades: [
    {
      trade_id: TRADE,
      sequence: 27,
      price: 43.25,
      quantity: 100,
      side: 'buy',
      executed_at: '2026-10-05T14:31:07.418Z',
      status: 'executed',
      corrected_price: null,
      adjusted_at: null,
    },
  ],
};
export const CHART = {
  security_id: SECURITY,
  interval: '1h',
  bars: [{ time: '2026-10-05T14:00:00.000Z', open: 43, high: 43.25, low: 42.9, close: 43.25, volume: 340 }],
};

export const SETTLEMENT_PARTY = { ...BUYER, broker_dealer: BROKER_DEALER };
export const SETTLEMENT_ADJUSTMENT = {
  type: 'correction',
  price_per_share: 43.2,
  gross_trade_amount: 4_320,
  reason: 'entered at the wrong price',
  adjusted_at: '2026-10-05T15:10:00.000Z',
} as const;
export const SETTLEMENT = {
  settlement_id: TRADE,
  trade_id: TRADE,
  security_id: SECURITY,
  status: 'SETTLED',
  settlement_type: 'bilateral',
  number_of_shares: 100,
  price_per_share: 43.25,
  gross_trade_amount: 4_325,
  settlement_currency: 'USD',
  buyer: SETTLEMENT_PARTY,
  seller: { ...SELLER, broker_dealer: { firm_name: 'Northwind Securities LLC', crd_number: '654321' } },
  executed_at: '2026-10-05T14:31:07.418Z',
  settled_at: '2026-10-05T16:02:40.000Z',
  reversed_at: null,
  reversal_reason: null,
  reversed_by: null,
  adjustment: null,
  finality: 'final',
  finality_members: 'embedded',
  blockchain_transaction_id: HASH,
};
export const SETTLEMENT_TRANSACTIONS = {
  settlement_id: TRADE,
  transactions: [
    {
      tx_hash: HASH,
      block_number: 5_120,
      submitted_at: '2026-10-05T14:31:09.000Z',
      explorer_link: `https://explorer.example.com/tx/${HASH}`,
    },
  ],
};
export const SETTLEMENT_VERIFICATION = {
  settlement_id: TRADE,
  blockchain_transaction_id: HASH,
  status: 'verified',
  settlement_status: 'SETTLED',
  adjustment: null,
  finality: 'final',
  finality_members: 'embedded',
  block: { height: 1_204, hash: HASH, slot: '2026-10-05T14:31:07.419Z' },
  registry_address: '0x7B7B2d98E2376A06FD1E9A25529120D74b93F73f',
  explorer_links: [`https://explorer.example.com/tx/${HASH}`],
};

const numbered = (digits: number) => (_: unknown, number: number) => number.toString(16).padStart(digits, '0');
const BLOCK_HASH = 'a'.repeat(64);
export const RECEIPT = {
  version: 'edge.receipt.v1',
  settlement: {
    tradeId: TRADE,
    assetId: SECURITY,
    currency: 'usd',
    quantity: 100,
    price: 4_325,
    notional: 43_250_000,
    buyerCommitment: 'b'.repeat(64),
    sellerCommitment: 'c'.repeat(64),
    executedAt: 1_791_210_667_418,
  },
  parties: [{ party: 'buyer', account: BUYER.account_id, salt: 'd'.repeat(64) }],
  inclusion: { index: 1, path: ['e'.repeat(64)] },
  headers: [
    {
      committee: 'f'.repeat(64),
      height: 1_204,
      parent: '0'.repeat(64),
      slot: 1_791_210_667_419,
      firstRow: 40_001,
      lastRow: 40_004,
      journalHash: '1'.repeat(64),
      settlements: 2,
      settlementsRoot: '2'.repeat(64),
      booksRoot: '3'.repeat(64),
    },
  ],
  certificate: {
    height: 1_204,
    hash: BLOCK_HASH,
    votes: Array.from({ length: 16 }, (_, member) => ({ member, signature: numbered(128)(null, member) })),
  },
  committee: { epoch: 1, keys: Array.from({ length: 20 }, numbered(64)) },
};

const ACKNOWLEDGED = { record_date: '2026-10-05', units_to_transfer: 100, notes: null };
export const TRANSFER_INSTRUCTION = {
  transfer_instruction_id: TRADE,
  trade_id: TRADE,
  security_id: SECURITY,
  buyer_account_id: BUYER.account_id,
  seller_account_id: SELLER.account_id,
  status: 'completed',
  acknowledged: true,
  acknowledged_at: '2026-10-05T15:20:00.000Z',
  ...ACKNOWLEDGED,
  reason: null,
  new_certificate_number: 'LSRB-1042',
  legend_applied: true,
  cap_table_updated_at: '2026-10-05T16:02:00.000Z',
  ended_at: '2026-10-05T16:02:40.000Z',
  created_at: '2026-10-05T14:31:10.000Z',
};
export const TRANSFER_ACKNOWLEDGE_REQUEST = {
  acknowledged: true,
  transfer_instruction_id: TRADE,
  record_date: '2026-10-05',
  units_to_transfer: 100,
  status: 'pending_transfer',
};
export const TRANSFER_COMPLETE_REQUEST = {
  status: 'completed',
  record_date: '2026-10-05',
  new_certificate_number: 'LSRB-1042',
  legend_applied: true,
  cap_table_updated_at: '2026-10-05T16:02:00.000Z',
};

export const CAP_TABLE = {
  security_id: SECURITY,
  asset_name: CROSS_LIST_REQUEST.asset_name,
  issuer_name: CROSS_LIST_REQUEST.issuer_name,
  security_class: CROSS_LIST_REQUEST.security_class,
  share_class: CROSS_LIST_REQUEST.share_class,
  as_of: null,
  sequence: 3,
  last_recorded_at: '2026-10-05T16:02:40.000Z',
  shares_outstanding: 25_000,
  holders: 2,
  pending_transfer_units: 0,
};
export const REGISTERED_HOLDER = {
  holder_id: HOLDER,
  reference: `account:${BUYER.account_id}`,
  account_id: BUYER.account_id,
  name: INVESTOR.name,
  holder_kind: 'individual',
  country: null,
  shares: 100,
  pending_shares: 0,
};
export const REGISTER_EVENT = {
  event_id: EVENT,
  event_type: 'issuance',
  sequence: 1,
  recorded_at: '2026-10-02T10:00:00.000Z',
  record_date: '2026-10-01',
  notes: 'Series B closing',
};
export const REGISTER_HISTORY_EVENT = {
  ...REGISTER_EVENT,
  outstanding_change: 25_000,
  line_count: 1,
  lines: [
    { holder_id: HOLDER, name: 'Priya Raman', shares: 25_000, certificate_number: 'LSRB-1001', legend_applied: true },
  ],
};
export const ISSUANCE_REQUEST = {
  holder_reference: 'H-0007',
  holder_name: 'Priya Raman',
  holder_kind: 'individual',
  country: 'US',
  shares: 25_000,
  cost: 1_000_000,
  certificate_number: 'LSRB-1001',
  acquired_at: '2026-10-01',
  legend: true,
  record_date: '2026-10-01',
  notes: 'Series B closing',
};
export const CANCELLATION_REQUEST = { holder_id: HOLDER, shares: 50, record_date: '2026-10-20', notes: 'Repurchased.' };
export const HOLDER_IMPORT_REQUEST = {
  holders: [{ holder_reference: 'H-0007', holder_name: 'Priya Raman', country: 'US', shares: 25_000 }],
  record_date: '2026-10-01',
};
const OCF_FILE = { filepath: './Transactions.ocf.json', md5: 'c3e68dd645c6ab810f036923706355c8' };
export const OCF_PACKAGE = {
  manifest: {
    ocf_version: '1.2.1-alpha+main',
    file_type: 'OCF_MANIFEST_FILE',
    as_of: '2026-10-05',
    transactions_files: [OCF_FILE],
  },
  files: {
    './Stakeholders.ocf.json': {
      file_type: 'OCF_STAKEHOLDERS_FILE',
      items: [
        {
          object_type: 'STAKEHOLDER',
          id: HOLDER,
          name: { legal_name: 'Priya Raman' },
          stakeholder_type: 'INDIVIDUAL',
          issuer_assigned_id: 'H-0007',
        },
      ],
    },
    './Transactions.ocf.json': {
      file_type: 'OCF_TRANSACTIONS_FILE',
      items: [
        {
          object_type: 'TX_STOCK_ISSUANCE',
          id: `${EVENT}.1:issuance`,
          security_id: `${EVENT}.1`,
          date: '2026-10-01',
          security_law_exemptions: [],
          stakeholder_id: HOLDER,
          custom_id: 'LSRB-1001',
          stock_class_id: SECURITY,
          share_price: { amount: '40', currency: 'USD' },
          quantity: '25000',
          stock_legend_ids: [],
        },
      ],
    },
  },
};
export const ISSUED_SHARES = { dry_run: false, rows: 1, shares: 25_000, event: REGISTER_EVENT };

export const WEBHOOK_VIEW = {
  webhook_id: WEBHOOK,
  url: 'https://hooks.northwind-ats.com/exchange',
  events: ['trade.executed', 'settlement.finalized'],
  description: 'Back office',
  ordering: 'none',
  security_ids: null,
  header_names: ['authorization'],
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  created_at: '2026-10-01T14:30:00.000Z',
};
export const CREATED_WEBHOOK = { ...WEBHOOK_VIEW, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };
export const WEBHOOK_WITH_BACKLOG = {
  ...WEBHOOK_VIEW,
  waiting: 0,
  waiting_bytes: 0,
  failing_since: null,
  next_try_at: null,
};
export const WEBHOOK_CHANGE = { events: ['trade.executed'], description: 'Back office', enabled: true };
export const WEBHOOK_DELIVERY = {
  delivery_id: DELIVERY,
  sequence: 17,
  event_id: TRADE,
  event_type: 'settlement.finalized',
  replay_of: null,
  status: 'delivered',
  reason: null,
  tries: 1,
  created_at: '2026-10-05T16:02:41.000Z',
  first_tried_at: '2026-10-05T16:02:41.010Z',
  next_try_at: null,
  ended_at: '2026-10-05T16:02:41.120Z',
};
export const DELIVERY_DETAIL = {
  ...WEBHOOK_DELIVERY,
  payload: `{"event_type":"settlement.finalized","trade_id":"${TRADE}","status":"SETTLED","tx_hash":null}`,
  attempts: [{ at: '2026-10-05T16:02:41.010Z', duration_ms: 110, status: 204, error: null, response: '' }],
};
export const LISTED_EVENTS = {
  events: [
    {
      webhook_event: {
        event_id: EVENT,
        event_type: 'settlement.finalized',
        endpoint: 'https://partner.example-exchange.com/v1/events',
        timestamp: '2026-10-05T16:02:41.000Z',
        version: '1.0.0',
      },
      trade_id: TRADE,
      status: 'SETTLED',
      tx_hash: HASH,
    },
  ],
  next_after: EVENT,
};
export const REPLAYED = { replayed: 1_000, next_sequence: 1_018 };
export const CORPORATE_ACTION_REQUEST = {
  security_id: SECURITY,
  action_type: 'dividend',
  record_date: '2026-12-01',
  payment_date: '2026-12-15',
  amount_per_share: 0.25,
  currency: 'USD',
  description: 'Quarterly cash dividend, fourth quarter of 2026',
};
export const CORPORATE_ACTION_REASON = { reason: 'The board has withdrawn its resolution.' };
export const PAYMENT_ACCOUNT = { account_id: SELLER.account_id, amount_max: 25_000 };
export const MERGER_STOCK = {
  security_id: SURVIVING,
  ratio_from: 2,
  ratio_to: 3,
  restriction_ends_at: null,
};
export const CORPORATE_ACTION = {
  corporate_action_id: ACTION,
  ...CORPORATE_ACTION_REQUEST,
  status: 'recorded',
  waiting_for: 'insufficient_funds',
  effective_date: null,
  ratio_from: null,
  ratio_to: null,
  asset_name: null,
  cusip: null,
  isin: null,
  counterparty: null,
  holder_id: null,
  shares: null,
  cash_per_share: null,
  stock: null,
  payment_account_id: SELLER.account_id,
  amount_max: 25_000,
  consented_at: null,
  survivor_consented_at: null,
  total_amount: 21_250,
  external_amount: 1_200,
  reason: null,
  created_at: '2026-11-20T15:00:00.000Z',
  recorded_at: '2026-12-02T05:00:12.000Z',
  funded_at: null,
  ended_at: null,
};
export const CORPORATE_ACTION_PAYMENT = {
  payee_id: BUYER.account_id,
  account_id: BUYER.account_id,
  holder_reference: null,
  name: 'Juniper Capital LP',
  shares: 1_000,
  amount: 250,
  status: 'due',
  paid_at: null,
  returned_at: null,
};
export const JSON_SCHEMA = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };

export const SHAREHOLDER_REGISTER = {
  security_id: SECURITY,
  asset_name: CROSS_LIST_REQUEST.asset_name,
  issuer_name: CROSS_LIST_REQUEST.issuer_name,
  security_class: CROSS_LIST_REQUEST.security_class,
  share_class: CROSS_LIST_REQUEST.share_class,
  as_of: '2026-12-31T23:59:59.999Z',
  sequence: 3,
  shares_outstanding: 25_000,
  holders: [
    {
      holder_id: HOLDER,
      reference: 'H-0007',
      account_id: null,
      name: 'Priya Raman',
      holder_kind: 'individual',
      country: 'US',
      shares: 24_900,
      percent: 99.6,
      certificates: 'LSRB-1001',
      has_more_certificates: false,
      legend: true,
    },
  ],
};
export const TRANSFER_LOG_ROW = {
  transfer_instruction_id: TRADE,
  security_id: SECURITY,
  asset_name: CROSS_LIST_REQUEST.asset_name,
  status: 'completed',
  units: 100,
  seller_account_id: SELLER.account_id,
  seller_name: 'Priya Raman',
  buyer_account_id: BUYER.account_id,
  buyer_name: INVESTOR.name,
  received_at: '2026-10-05T14:31:10.000Z',
  turnaround_due_at: '2026-10-08T16:00:00.000Z',
  acknowledged_at: '2026-10-05T15:20:00.000Z',
  recorded_at: '2026-10-05T16:02:40.000Z',
  ended_at: '2026-10-05T16:02:40.000Z',
  record_date: '2026-10-05',
  certificate_number: 'LSRB-1042',
  legend_applied: true,
  reason: null,
};
export const DIVIDEND_HISTORY_ROW = {
  corporate_action_id: ORDER,
  security_id: SECURITY,
  asset_name: CROSS_LIST_REQUEST.asset_name,
  action_status: 'completed',
  record_date: '2026-11-30',
  payment_date: '2026-12-15',
  amount_per_share: 0.25,
  currency: 'USD',
  payee_id: BUYER.account_id,
  name: INVESTOR.name,
  shares: 100,
  amount: 25,
  status: 'paid',
  paid_at: '2026-12-15T05:03:00.000Z',
  returned_at: null,
};
export const FORM_TA_2 = {
  firm_name: 'Harbor Transfer Co.',
  sec_registration_number: '84-01234',
  year: 2026,
  as_of: '2027-01-01T04:59:59.999Z',
  questions: '1-5, 11',
  items: [
    {
      question: '4(a)',
      title: 'Items received for transfer',
      value: 212,
      source: 'venue',
      rule: '17 CFR 240.17Ad-1(a)(1)',
    },
    {
      question: '11(b)',
      title: 'Lost securityholder accounts remitted to the states',
      value: null,
      source: 'agent',
      rule: '17 CFR 240.17Ad-17',
    },
  ],
  turnaround: [{ month: '2026-10', received: 31, in_time: 30, late: 1, open: 0, compliant: true }],
};
