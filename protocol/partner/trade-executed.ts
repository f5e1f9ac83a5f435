import { z } from 'zod';
import { EventHead, Hash, Party, Recipient, RestrictionsFields, Time, TransferAgent } from './fields.ts';

/** P-VER-02 */
const TRADE_PAYLOAD_VERSION = '2.0.0';

const Commission = z.strictObject({
  firm_name: z.string(),
  crd_number: z.string(),
  commission_type: z.string(),
  commission_rate: z.number().nullable(),
  commission_amount: z.number(),
  currency: z.string(),
});

const Security = z.strictObject({
  asset_id: z.string(),
  asset_name: z.string(),
  asset_type: z.string(),
  security_class: z.string(),
  share_class: z.string(),
  cusip: z.string().nullable(),
  isin: z.string().nullable(),
  issuer_id: z.string(),
  issuer_name: z.string(),
  issuer_type: z.string(),
  number_of_shares: z.number(),
  price_per_share: z.number(),
  gross_trade_amount: z.number(),
  accrued_interest: z.number(),
  net_trade_amount: z.number(),
  bid_price: z.number().nullable().describe('Of the book when the event was sent out; null where nobody bids.'),
  ask_price: z.number().nullable().describe('Of the book when the event was sent out; null where nobody offers.'),
  currency: z.string(),
  trade_execution_datetime: Time,
  price_determination_method: z.string(),
  last_valuation_price: z.number(),
  last_valuation_date: z.iso.date(),
  commissions: z.strictObject({
    buyer_broker_dealer: Commission,
    seller_broker_dealer: Commission,
    total_commissions: z.number(),
  }),
});

/** trade.executed, the whole trade (P-TWP). */
export const TradeExecuted = z
  .strictObject({
    webhook_event: z.strictObject({
      ...EventHead.shape,
      event_type: z.literal('trade.executed'),
      version: z.literal(TRADE_PAYLOAD_VERSION),
      transaction_type: z.string(),
      blockchain_transaction_id: Hash,
      recipients: z.array(Recipient),
    }),
    transaction: z.strictObject({
      transaction_id: z.string(),
      transaction_type: z.string(),
      status: z.string(),
      initiated_at: Time,
      description: z.string(),
      security: Security,
      settlement: z.strictObject({
        settlement_date: Time,
        settlement_type: z.string(),
        settlement_status: z.string(),
        settlement_currency: z.string(),
      }),
      restrictions: RestrictionsFields,
    }),
    buyer: Party,
    seller: Party,
    transfer_agent: TransferAgent.nullable().describe('Null where the security has none.'),
  })
  .meta({ id: 'trade.executed', title: 'An order matched and the trade was recorded' });
