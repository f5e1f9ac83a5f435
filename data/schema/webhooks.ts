import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DISABLED_REASONS } from '../../domain/webhooks/attempt.ts';
import { ORDERINGS } from '../../domain/webhooks/ordering.ts';
import type { WebhookEvent } from '../../domain/webhooks/webhook-event.ts';

/** A secret that another one has taken the place of, and until when it signs. */
export interface FormerSecret {
  readonly secret: string;
  /** Unix ms. */
  readonly endsAt: number;
}

/** Where partners receive webhooks (docs/design/webhooks.md). What waits there and what was sent stands in the endpoint's own object. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    /** UUIDv7; also the name of its object. */
    id: text().primaryKey(),
    organization: text().notNull(),
    url: text().notNull(),
    events: text({ mode: 'json' }).$type<readonly WebhookEvent[]>().notNull(),
    description: text(),
    ordering: text({ enum: ORDERINGS }).notNull().default('endpoint'),
    /** Events of these securities alone; null for all that the organization is told of. */
    securityIds: text({ mode: 'json' }).$type<readonly string[]>(),
    /** Headers that the owner wants in each message: JSON of name and value, sealed as the secret is; null for none. */
    headers: text(),
    headerNames: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    /** Why nothing is sent; null while it is enabled. */
    disabledReason: text({ enum: DISABLED_REASONS }),
    disabledAt: integer(),
    /** Sealed (data/identity/sealed-secret.ts). */
    secret: text().notNull(),
    /** The one before, sealed as well, and until when it signs beside it. */
    formerSecret: text(),
    formerSecretEndsAt: integer(),
    /** Those before that, sealed, each with when it ends: [{secret, endsAt}]. */
    earlierSecrets: text({ mode: 'json' }).$type<readonly FormerSecret[]>().notNull().default([]),
    createdAt: integer().notNull(),
  },
  (t) => [
    index('webhook_endpoints_organization').on(t.organization, t.id),
    index('webhook_endpoints_disabled').on(t.disabledAt).where(sql`${t.disabledAt} is not null`),
  ],
);
