import { z } from 'zod';

/** Fields that several payloads share, as the specification spells them (P-TWP). */

export const Time = z.iso.datetime().describe('ISO 8601 in UTC, with milliseconds.');

export const StatedDate = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .describe('As the agent has stated it: a day, YYYY-MM-DD, in New York, or a moment, ISO 8601 with its offset.');

export const Hash = z.string().regex(/^0x[0-9a-f]{64}$/);

const BrokerDealer = z.strictObject({
  firm_name: z.string(),
  crd_number: z.string(),
  finra_member: z.boolean(),
});

export const Party = z.strictObject({
  investor_id: z.string(),
  account_id: z.string(),
  account_type: z.enum(['entity', 'individual']),
  broker_dealer: BrokerDealer,
  compliance_ref: z.strictObject({ endpoint: z.string(), description: z.string() }),
});

export const RestrictionsFields = z.strictObject({
  legend_required: z.boolean(),
  rule_144_holding_period_met: z.boolean(),
  transfer_restrictions: z.string(),
  lock_up_expiry_date: z.iso.date().nullable(),
});

/** The agent of a trade, and how far its acknowledgment is; what it has not said yet is null. */
export const TransferAgent = z.strictObject({
  firm_name: z.string(),
  sec_registered: z.boolean(),
  sec_registration_number: z.string(),
  acknowledgment: z.strictObject({
    acknowledged: z.boolean(),
    acknowledged_at: Time.nullable(),
    transfer_instruction_id: z.string(),
    record_date: Time.nullable(),
    units_to_transfer: z.number(),
    status: z.string(),
  }),
});

export const Recipient = z.strictObject({
  recipient_id: z.string(),
  name: z.string(),
  role: z.enum(['buyer_broker_dealer', 'seller_broker_dealer', 'transfer_agent', 'cross_lister']),
  delivered_at: Time.nullable(),
  delivery_status: z.enum(['pending', 'delivered']),
});

/** What every message begins with. */
export const EventHead = z.strictObject({
  event_id: z.string(),
  event_type: z.string(),
  endpoint: z
    .string()
    .describe('The address of the webhook when the event was queued: each try and each replay has the same bytes.'),
  timestamp: Time,
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
});
