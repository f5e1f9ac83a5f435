import type { ToldSecurity } from '../../data/webhooks/subscriptions.ts';
import type { TenantEvent, WebhookEvent } from '../../domain/webhooks/webhook-event.ts';
import { decimal, partyOf, type ToldTrade, tradePayload, transferAgentOf } from './trade-payload.ts';

/** An event with all that its message is made of. */
export interface ToldEvent {
  readonly id: string;
  readonly type: Exclude<WebhookEvent, TenantEvent>;
  /** What `domain_events` keeps of it. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly security: ToldSecurity;
  /** The trade that it is of; null for one of the security alone. */
  readonly trade: ToldTrade | null;
}

/** A message before it is told apart by endpoint. */
export interface EventMessage {
  readonly webhook_event: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const VERSION = '1.0.0';

/**
 * The message of an event (protocol/partner/events.ts has its shape).
 *
 * @param at when it is made, Unix milliseconds
 * @throws Error where a trade is missing that the event is of
 */
export function eventPayload({ id, type, facts, security, trade }: ToldEvent, at: number): EventMessage {
  const head = { event_id: id, event_type: type, timestamp: new Date(at).toISOString(), version: VERSION };
  switch (type) {
    case 'trade.executed':
      return tradePayload(tradeOf(id, trade), at);
    case 'settlement.recorded':
    case 'settlement.finalized':
      return { webhook_event: head, ...facts };
    case 'transfer.initiated':
      return { webhook_event: head, ...facts, ...initiated(tradeOf(id, trade), String(facts.transfer_instruction_id)) };
    case 'transfer.completed':
    case 'dividend.declared':
    case 'corporate_action.announced':
      return { webhook_event: head, ...facts, security_id: security.security.id };
  }
}

/** The body for one endpoint. */
export function bodyFor({ webhook_event, ...rest }: EventMessage, url: string): string {
  const { event_id, event_type, ...head } = webhook_event;
  return JSON.stringify({ webhook_event: { event_id, event_type, endpoint: url, ...head }, ...rest });
}

function initiated(told: ToldTrade, instructionId: string) {
  const { security, trade, scales, buyer, seller } = told;
  return {
    buyer: partyOf(buyer),
    seller: partyOf(seller),
    units: decimal(trade.quantity, scales.quantityScale),
    security: {
      security_id: security.id,
      asset_name: security.assetName,
      share_class: security.shareClass,
      cusip: security.cusip,
      isin: security.isin,
      issuer_name: security.issuerName,
    },
    transfer_agent: transferAgentOf(told, instructionId),
  };
}

function tradeOf(id: string, trade: ToldTrade | null): ToldTrade {
  if (trade === null) throw new Error(`the trade of event ${id} is not known`);
  return trade;
}
