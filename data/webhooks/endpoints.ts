import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { DisabledReason } from '../../domain/webhooks/attempt.ts';
import type { Ordering } from '../../domain/webhooks/ordering.ts';
import type { WebhookEvent } from '../../domain/webhooks/webhook-event.ts';
import type { Database } from '../database.ts';
import { type Bearer, refuseEndedToken, tokenStands } from '../identity/bearer.ts';
import { type FormerSecret, webhookEndpoints } from '../schema/webhooks.ts';
import { sqlBatch } from '../sql-batch.ts';

/** Endpoints of one organization. */
export const ENDPOINTS_MAX = 10;

export interface EndpointTerms {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly description: string | null;
  /** Events of these securities alone; null for all. */
  readonly securityIds: readonly string[] | null;
}

export interface Endpoint extends EndpointTerms {
  readonly id: string;
  readonly organization: string;
  /** As it was made: it does not change. */
  readonly ordering: Ordering;
  /** Of the headers that its owner wants in each message. */
  readonly headerNames: readonly string[];
  /** Null while it is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: number | null;
  readonly createdAt: number;
}

/** Secrets are sealed, with `secretContext` of the endpoint's id, and headers with `headersContext`. */
export interface EndpointWithSecrets extends Endpoint {
  readonly secret: string;
  readonly headers: string | null;
  readonly formerSecret: string | null;
  readonly formerSecretEndsAt: number | null;
  readonly earlierSecrets: readonly FormerSecret[];
}

export function secretContext(id: string): string {
  return `webhook:${id}`;
}

export function headersContext(id: string): string {
  return `webhook-headers:${id}`;
}

/**
 * False where the organization has as many as it may.
 *
 * @throws TokenEnded where a kill switch has ended the token that asks for it
 */
export async function createEndpoint(
  db: Database,
  endpoint: Pick<
    EndpointWithSecrets,
    | 'id'
    | 'organization'
    | 'url'
    | 'events'
    | 'description'
    | 'ordering'
    | 'securityIds'
    | 'headers'
    | 'headerNames'
    | 'secret'
    | 'createdAt'
  >,
  bearer: Bearer,
): Promise<boolean> {
  const { id, organization, url, events, description, ordering, secret, headers, createdAt } = endpoint;
  const securityIds = endpoint.securityIds === null ? null : JSON.stringify(endpoint.securityIds);
  const headerNames = JSON.stringify(endpoint.headerNames);
  const [created] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`INSERT INTO webhook_endpoints (id, organization, url, events, description, ordering, security_ids, headers, header_names, secret, created_at)
        SELECT ${id}, ${organization}, ${url}, ${JSON.stringify(events)}, ${description}, ${ordering}, ${securityIds}, ${headers},
               ${headerNames}, ${secret}, CAST(${createdAt} AS INTEGER)
        WHERE (SELECT count(*) FROM webhook_endpoints WHERE organization = ${organization}) < CAST(${ENDPOINTS_MAX} AS INTEGER)
          AND ${tokenStands(bearer)}
        RETURNING id`,
  ]);
  if (created.length === 0) await refuseEndedToken(db, bearer);
  return created.length === 1;
}

/** In the order in which they were made. */
export async function listEndpoints(db: Database, organization: string): Promise<Endpoint[]> {
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.organization, organization))
    .orderBy(asc(webhookEndpoints.id));
  return rows.map(withoutSecrets);
}

/** Endpoints of every organization, newest first. */
export async function listEveryEndpoint(
  db: Database,
  {
    organization,
    isDisabled,
    before,
    limit,
  }: {
    /** Null for any, as with those below. */
    readonly organization: string | null;
    readonly isDisabled: boolean | null;
    readonly before: string | null;
    readonly limit: number;
  },
): Promise<Endpoint[]> {
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        organization === null ? undefined : eq(webhookEndpoints.organization, organization),
        isDisabled === null
          ? undefined
          : isDisabled
            ? isNotNull(webhookEndpoints.disabledAt)
            : isNull(webhookEndpoints.disabledAt),
        before === null ? undefined : lt(webhookEndpoints.id, before),
      ),
    )
    .orderBy(desc(webhookEndpoints.id))
    .limit(limit);
  return rows.map(withoutSecrets);
}

export async function findEndpoint(db: Database, id: string): Promise<EndpointWithSecrets | null> {
  return (await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).get()) ?? null;
}

/** Whether an organization may not read for now: what waits for it is told once it may. */
export async function isHeldBack(db: Database, organization: string): Promise<boolean> {
  const row = await db.get<{ state: string }>(sql`
    SELECT state FROM partner_organizations WHERE organization = ${organization}`);
  return row !== undefined && row.state !== 'active';
}

/** Headers are sealed. */
export type EndpointChange = Partial<EndpointTerms & Pick<EndpointWithSecrets, 'headers' | 'headerNames'>> & {
  readonly isEnabled?: boolean | undefined;
};

/**
 * What its owner changes of an endpoint; null where it is gone. `isEnabled` left out leaves that as it is.
 *
 * @throws TokenEnded where a kill switch has ended the token that asks for it
 */
export async function changeEndpoint(
  db: Database,
  { id, organization }: Pick<Endpoint, 'id' | 'organization'>,
  { isEnabled, ...terms }: EndpointChange,
  now: number,
  bearer: Bearer,
): Promise<Endpoint | null> {
  const set = {
    ...terms,
    ...(isEnabled === true ? { disabledReason: null, disabledAt: null } : {}),
    // Why it was disabled before stays.
    ...(isEnabled === false
      ? {
          disabledReason: sql<DisabledReason>`coalesce(${webhookEndpoints.disabledReason}, 'owner')`,
          disabledAt: sql<number>`coalesce(${webhookEndpoints.disabledAt}, CAST(${now} AS INTEGER))`,
        }
      : {}),
  };
  const [row] = await db
    .update(webhookEndpoints)
    .set({ organization, ...set })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.organization, organization), tokenStands(bearer)))
    .returning();
  if (row === undefined) await refuseEndedToken(db, bearer);
  return row === undefined ? null : withoutSecrets(row);
}

export async function deleteEndpoint(db: Database, id: string): Promise<void> {
  await db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id));
}

/** Secrets that sign beside the one in use, at most: each try is signed by all of them. */
export const FORMER_SECRETS_MAX = 4;

/**
 * Puts another secret in place of the one in use, which goes on signing beside it until `formerSecretEndsAt`, as do those before it until their own
 * end. False where as many sign as may, or the endpoint is gone.
 *
 * @throws TokenEnded where a kill switch has ended the token that asks for it
 */
export async function replaceSecret(
  db: Database,
  id: string,
  {
    secret,
    formerSecretEndsAt,
    now,
  }: { readonly secret: string; readonly formerSecretEndsAt: number; readonly now: number },
  bearer: Bearer,
): Promise<boolean> {
  const at = sql`CAST(${now} AS INTEGER)`;
  // Former ones that still sign, the last one among them.
  const living = sql`(
    SELECT json_group_array(json_object('secret', v.secret, 'endsAt', v.ends_at)) FROM (
      SELECT value ->> 'secret' AS secret, value ->> 'endsAt' AS ends_at FROM json_each(${webhookEndpoints.earlierSecrets})
      UNION ALL SELECT ${webhookEndpoints.formerSecret}, ${webhookEndpoints.formerSecretEndsAt}
    ) v WHERE v.secret IS NOT NULL AND v.ends_at > ${at})`;
  const replaced = await db
    .update(webhookEndpoints)
    .set({ secret, formerSecret: sql`${webhookEndpoints.secret}`, formerSecretEndsAt, earlierSecrets: living })
    .where(
      and(
        eq(webhookEndpoints.id, id),
        sql`json_array_length(${living}) < CAST(${FORMER_SECRETS_MAX} AS INTEGER)`,
        tokenStands(bearer),
      ),
    )
    .returning({ id: webhookEndpoints.id });
  if (replaced.length === 0) await refuseEndedToken(db, bearer);
  return replaced.length === 1;
}

/** An endpoint whose object has given it up, with the notice of it; once, however often this is sent. */
export async function disableEndpoint(
  db: Database,
  id: string,
  disabled: { readonly eventId: string; readonly reason: DisabledReason; readonly at: number },
): Promise<void> {
  const { eventId, reason, at } = disabled;
  await sqlBatch(db, [
    // Told again, it disables nothing that its owner has enabled since.
    sql`UPDATE webhook_endpoints SET disabled_reason = ${reason}, disabled_at = CAST(${at} AS INTEGER)
        WHERE id = ${id} AND disabled_reason IS NULL AND NOT EXISTS (SELECT 1 FROM domain_events WHERE id = ${eventId})`,
    sql`INSERT INTO domain_events (id, type, subject, payload, created_at)
        SELECT ${eventId}, 'webhook.endpoint_disabled', id, json_object('organization', organization, 'reason', ${reason}),
               CAST(${at} AS INTEGER)
        FROM webhook_endpoints WHERE id = ${id} AND disabled_reason = ${reason} AND disabled_at = CAST(${at} AS INTEGER)
        ON CONFLICT DO NOTHING`,
  ]);
}

function withoutSecrets({
  secret: _,
  formerSecret: __,
  formerSecretEndsAt: ___,
  earlierSecrets: ____,
  headers: _____,
  ...endpoint
}: typeof webhookEndpoints.$inferSelect): Endpoint {
  return endpoint;
}
