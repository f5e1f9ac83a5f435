import type { z } from 'zod';
import type { ToldSecurity } from '../../data/webhooks/subscriptions.ts';
import type { TradeParty, TradeSides } from '../../data/webhooks/trade-parties.ts';
import { scaledToDecimal } from '../../domain/money/decimal-text.ts';
import { displayText } from '../../domain/partner/display-text.ts';
import { effectiveRestrictions } from '../../domain/partner/effective-restrictions.ts';
import { VALUATION_SCALE } from '../../domain/partner/security.ts';
import type { Party, Recipient, TransferAgent } from '../../protocol/partner/fields.ts';
import type { TradeExecuted } from '../../protocol/partner/trade-executed.ts';

/** What a trade says of itself when it is recorded (P-TWP-10, P-TWP-11, P-STA-01). */
const TRANSACTION_TYPE = 'secondary_market_transfer';
const RECORDED_STATUS = 'pending_compliance_clearance';
const SETTLEMENT_TYPE = 'bilateral';
const SETTLEMENT_STATUS = 'pending';
const PRICE_DETERMINATION = 'order_book';
const COMMISSION_TYPE = 'flat_fee';
const NOT_ACKNOWLEDGED = 'pending_acknowledgment';

/** A trade as its event in `domain_events` has it; amounts are scaled integers. */
export interface TradeFacts {
  readonly trade_id: string;
  readonly book: string;
  readonly asset: string;
  readonly currency: string;
  readonly price: number;
  readonly quantity: number;
  readonly notional: number;
  readonly buy_order: string;
  readonly sell_order: string;
  readonly buyer: string;
  readonly seller: string;
  readonly buyer_fee: number;
  readonly seller_fee: number;
  readonly executed_at: number;
}

export interface Scales {
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly quoteScale: number;
}

/** All that a message of a trade is made of. */
export interface ToldTrade extends ToldSecurity, TradeSides {
  readonly trade: TradeFacts;
  readonly scales: Scales;
  /** Scaled prices; null where nobody quotes. */
  readonly bid: number | null;
  readonly ask: number | null;
  /** Of its settlement record. */
  readonly hash: `0x${string}`;
}

type Payload = z.infer<typeof TradeExecuted>;
type Commission = Payload['transaction']['security']['commissions']['buyer_broker_dealer'];

/** The message of a trade but for what differs by endpoint. */
export function tradePayload(
  told: ToldTrade,
  at: number,
): Omit<Payload, 'webhook_event'> & {
  readonly webhook_event: Omit<Payload['webhook_event'], 'endpoint'>;
} {
  const { trade, scales, security, buyer, seller } = told;
  const quantity = decimal(trade.quantity, scales.quantityScale);
  const price = decimal(trade.price, scales.priceScale);
  const executedAt = new Date(trade.executed_at).toISOString();
  return {
    webhook_event: {
      event_id: trade.trade_id,
      event_type: 'trade.executed',
      timestamp: new Date(at).toISOString(),
      version: '2.0.0',
      transaction_type: TRANSACTION_TYPE,
      blockchain_transaction_id: told.hash,
      recipients: recipientsOf(told),
    },
    transaction: {
      transaction_id: trade.trade_id,
      transaction_type: TRANSACTION_TYPE,
      status: RECORDED_STATUS,
      initiated_at: executedAt,
      description: `Transfer of ${quantity} of ${security.assetName} at ${price} ${security.currency}`,
      security: securityOf(told),
      settlement: {
        settlement_date: executedAt,
        settlement_type: SETTLEMENT_TYPE,
        settlement_status: SETTLEMENT_STATUS,
        settlement_currency: security.currency,
      },
      restrictions: restrictionsOf(told),
    },
    buyer: partyOf(buyer),
    seller: partyOf(seller),
    transfer_agent: transferAgentOf(told, trade.trade_id),
  };
}

function securityOf({
  trade,
  scales,
  security,
  bid,
  ask,
  buyer,
  seller,
}: ToldTrade): Payload['transaction']['security'] {
  const priceOf = (scaled: number | null) => (scaled === null ? null : decimal(scaled, scales.priceScale));
  const amountOf = (scaled: number) => decimal(scaled, scales.quoteScale);
  const commissionOf = ({ firmName, crdNumber }: TradeParty, fee: number): Commission => ({
    firm_name: firmName,
    crd_number: crdNumber,
    commission_type: COMMISSION_TYPE,
    commission_rate: null,
    commission_amount: amountOf(fee),
    currency: security.currency,
  });
  return {
    asset_id: security.id,
    asset_name: security.assetName,
    asset_type: security.assetType,
    security_class: displayText(security.securityClass),
    share_class: security.shareClass,
    cusip: security.cusip,
    isin: security.isin,
    issuer_id: security.issuerId,
    issuer_name: security.issuerName,
    issuer_type: displayText(security.issuerType),
    number_of_shares: decimal(trade.quantity, scales.quantityScale),
    price_per_share: decimal(trade.price, scales.priceScale),
    gross_trade_amount: amountOf(trade.notional),
    accrued_interest: 0,
    // What passes between buyer and seller; each pays the commission of its own side beside it.
    net_trade_amount: amountOf(trade.notional),
    bid_price: priceOf(bid),
    ask_price: priceOf(ask),
    currency: security.currency,
    trade_execution_datetime: new Date(trade.executed_at).toISOString(),
    price_determination_method: PRICE_DETERMINATION,
    last_valuation_price: decimal(security.lastValuationPrice, VALUATION_SCALE),
    last_valuation_date: security.lastValuationDate,
    commissions: {
      buyer_broker_dealer: commissionOf(buyer, trade.buyer_fee),
      seller_broker_dealer: commissionOf(seller, trade.seller_fee),
      total_commissions: amountOf(trade.buyer_fee + trade.seller_fee),
    },
  };
}

export function partyOf({
  investorId,
  accountId,
  accountType,
  firmName,
  crdNumber,
}: TradeParty): z.infer<typeof Party> {
  return {
    investor_id: investorId,
    account_id: accountId,
    account_type: accountType,
    // The CRD registers members of FINRA.
    broker_dealer: { firm_name: firmName, crd_number: crdNumber, finra_member: crdNumber !== '' },
    compliance_ref: {
      endpoint: `/v1/investors/${investorId}/compliance`,
      description: 'Identity, accreditation and screening of the investor',
    },
  };
}

/** The agent as it stands before it has acknowledged; null where there is none. */
export function transferAgentOf(
  { agent, trade, scales }: Pick<ToldTrade, 'agent' | 'trade' | 'scales'>,
  instructionId: string,
): z.infer<typeof TransferAgent> | null {
  if (agent === null) return null;
  return {
    firm_name: agent.firmName,
    sec_registered: agent.verifiedAt !== null,
    sec_registration_number: agent.secRegistrationNumber ?? '',
    acknowledgment: {
      acknowledged: false,
      acknowledged_at: null,
      transfer_instruction_id: instructionId,
      record_date: null,
      units_to_transfer: decimal(trade.quantity, scales.quantityScale),
      status: NOT_ACKNOWLEDGED,
    },
  };
}

function restrictionsOf({ security }: ToldSecurity): Payload['transaction']['restrictions'] {
  const effective = effectiveRestrictions(security.restrictions, security.agentRestrictions);
  return {
    legend_required: effective.legendRequired,
    rule_144_holding_period_met: effective.rule144HoldingPeriodMet,
    transfer_restrictions: effective.transferRestrictions,
    lock_up_expiry_date: effective.lockUpExpiryDate,
  };
}

/**
 * Who is told of the trade, and as what.
 *
 * @param taken when organizations have taken its message, Unix milliseconds; none has when that is made
 */
export function recipientsOf(
  { buyer, seller, agent, lister }: ToldTrade,
  taken: ReadonlyMap<string, number> = new Map(),
): z.infer<typeof Recipient>[] {
  const as = [
    ['buyer_broker_dealer', buyer.partner],
    ['seller_broker_dealer', seller.partner],
    ['transfer_agent', agent],
    ['cross_lister', lister],
  ] as const;
  return as.flatMap(([role, firm]) => {
    if (firm === null) return [];
    const at = taken.get(firm.organization);
    return [
      {
        recipient_id: firm.organization,
        name: firm.firmName,
        role,
        delivered_at: at === undefined ? null : new Date(at).toISOString(),
        delivery_status: at === undefined ? ('pending' as const) : ('delivered' as const),
      },
    ];
  });
}

/** As the wire has numbers: the nearest double of an exact decimal. */
export function decimal(scaled: number, scale: number): number {
  return Number(scaledToDecimal(scaled, scale));
}
