import { type SQL, sql } from 'drizzle-orm';
import type { SecurityEvent } from '../../domain/webhooks/webhook-event.ts';
import type { EventFacts } from '../../protocol/partner/events.ts';

/** An event of a security that partners are told of, other than a trade. */
export interface PartnerEvent<Type extends Exclude<SecurityEvent, 'trade.executed'>> {
  /** UUIDv7; the same on every retry, so that it is told once. */
  readonly id: string;
  readonly type: Type;
  readonly securityId: string;
  readonly facts: EventFacts<Type>;
  readonly createdAt: number;
  /** Condition of the batch under which it has taken place. */
  readonly when: SQL;
}

/**
 * The statement that writes an event down, for the batch of the change that it tells of. Whoever has run the batch wakes the dispatcher
 * (durable-objects/webhook-dispatch/api.ts).
 */
export function partnerEvent<Type extends Exclude<SecurityEvent, 'trade.executed'>>({
  id,
  type,
  securityId,
  facts,
  createdAt,
  when,
}: PartnerEvent<Type>): SQL {
  return sql`
    INSERT INTO domain_events (id, type, subject, payload, created_at)
    SELECT ${id}, ${type}, ${securityId}, json(${JSON.stringify(facts)}), CAST(${createdAt} AS INTEGER)
    WHERE ${when} ON CONFLICT DO NOTHING`;
}
