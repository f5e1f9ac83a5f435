import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import type { Bearer } from '../../../data/identity/bearer.ts';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  ENDPOINTS_MAX,
  type Endpoint,
  type EndpointTerms,
  type EndpointWithSecrets,
  FORMER_SECRETS_MAX,
  findEndpoint,
  headersContext,
  listEndpoints,
  replaceSecret,
  secretContext,
} from '../../../data/webhooks/endpoints.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { Ordering } from '../../../domain/webhooks/ordering.ts';
import { isOtherPlace } from '../../../domain/webhooks/own-headers.ts';
import type { WebhookOwner } from '../../../domain/webhooks/webhook-owner.ts';
import { webhookEndpointOf } from '../../../durable-objects/webhook-endpoint/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { askAgain } from '../../objects/ask-again.ts';
import { examineDestination } from './examine-destination.ts';
import { narrowsInVain, outsideRole } from './outside-role.ts';

type WebhooksEnv = Pick<
  Env,
  | 'DB'
  | 'WEBHOOK_ENDPOINT'
  | 'API_KEY_MASTER_KEY'
  | 'ENVIRONMENT'
  | 'WEBHOOK_RESOLVER_URL'
  | 'OWN_ZONES'
  | 'PROFILE_HOSTS'
>;

/** How long the former secret signs beside the one that took its place. */
const FORMER_SECRET_MS = DAY_MS;
const SECRET_BYTES = 32;

/** What an owner states of an endpoint that is made; `headers` by name, in small letters. */
export interface NewEndpoint extends EndpointTerms {
  readonly ordering: Ordering;
  readonly headers: Readonly<Record<string, string>>;
}

export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  /** Shown this once. */
  readonly secret: string;
}

export async function registerEndpoint(
  env: WebhooksEnv,
  { organization, role }: WebhookOwner,
  { url, events, description, securityIds, ordering, headers }: NewEndpoint,
  now: number,
  bearer: Bearer,
): Promise<Result<EndpointWithSecret, ApiError>> {
  const outside = outsideRole(role, events, 'events') ?? narrowsInVain(role, securityIds);
  if (outside !== null) return err(outside);
  const examined = await examineDestination(env, url);
  if (!examined.ok) return examined;
  const id = uuidv7();
  const secret = randomWebhookSecret();
  const sealed = await sealSecret(secret, env.API_KEY_MASTER_KEY, secretContext(id));
  const own = await ownHeaders(env, id, headers);
  const { headerNames } = own;
  const terms = { id, organization, url: examined.value, events, description, securityIds, ordering, createdAt: now };
  if (!(await createEndpoint(database(env.DB), { ...terms, ...own, secret: sealed }, bearer)))
    return err(
      apiError('CONFLICT', 'the organization has as many webhooks as it may', {
        reason: 'too_many_webhooks',
        max: ENDPOINTS_MAX,
      }),
    );
  return ok({ endpoint: { ...terms, headerNames, disabledReason: null, disabledAt: null }, secret });
}

export function listOwnEndpoints(env: Pick<Env, 'DB'>, { organization }: WebhookOwner): Promise<Endpoint[]> {
  return listEndpoints(database(env.DB), organization);
}

/** Another organization's is not there. */
export async function findOwnEndpoint(
  env: Pick<Env, 'DB'>,
  { organization }: WebhookOwner,
  id: string,
): Promise<Result<Endpoint, ApiError>> {
  const endpoint = await findEndpoint(database(env.DB), id);
  return endpoint?.organization === organization ? ok(endpoint) : err(noSuchEndpoint());
}

/** What an owner changes; what is left out stays. */
export type ChangedEndpoint = Partial<Omit<NewEndpoint, 'ordering'>> & { readonly isEnabled?: boolean | undefined };

/** What waits is tried at once by the new terms. */
export async function changeOwnEndpoint(
  env: WebhooksEnv,
  { organization, role }: WebhookOwner,
  id: string,
  { url, events, headers, ...change }: ChangedEndpoint,
  now: number,
  bearer: Bearer,
): Promise<Result<Endpoint, ApiError>> {
  const found = await findOwnEndpoint(env, { organization, role }, id);
  if (!found.ok) return found;
  const outside = outsideRole(role, events ?? [], 'events') ?? narrowsInVain(role, change.securityIds);
  if (outside !== null) return err(outside);
  const examined = url === undefined ? ok(undefined) : await examineDestination(env, url);
  if (!examined.ok) return examined;
  // A credential of one gateway is not told to another: who names another one states its headers anew.
  const isElsewhere = examined.value !== undefined && isOtherPlace(found.value.url, examined.value);
  const own = headers ?? (isElsewhere ? {} : undefined);
  const changed = await changeEndpoint(
    database(env.DB),
    { id, organization },
    {
      ...change,
      ...(examined.value === undefined ? {} : { url: examined.value }),
      ...(events === undefined ? {} : { events }),
      ...(own === undefined ? {} : await ownHeaders(env, id, own)),
    },
    now,
    bearer,
  );
  if (changed === null) return err(noSuchEndpoint());
  await tellChanged(env, id, change.isEnabled === true);
  return ok(changed);
}

/** What waits there is not sent any more, and its log is gone. */
export async function deleteOwnEndpoint(
  env: WebhooksEnv,
  owner: WebhookOwner,
  id: string,
): Promise<Result<null, ApiError>> {
  const found = await findOwnEndpoint(env, owner, id);
  if (!found.ok) return found;
  await deleteWithLog(env, id);
  return ok(null);
}

/**
 * Of an owner that is gone: endpoints that it made until then. One that fails keeps back no other, and is there to be deleted again.
 *
 * @throws AggregateError of what failed, after all were tried
 */
export async function deleteEndpointsMadeBy(
  env: Pick<WebhooksEnv, 'DB' | 'WEBHOOK_ENDPOINT'>,
  owner: WebhookOwner,
  until: number,
): Promise<void> {
  const errors: unknown[] = [];
  for (const { id, createdAt } of await listEndpoints(database(env.DB), owner.organization))
    if (createdAt <= until) await deleteWithLog(env, id).catch((error) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'some webhooks were not deleted');
}

/** The log goes first: nobody finds the object of an endpoint without a row. What comes meanwhile the object deletes once it finds none. */
async function deleteWithLog(env: Pick<WebhooksEnv, 'DB' | 'WEBHOOK_ENDPOINT'>, id: string): Promise<void> {
  await askAgain(() => webhookEndpointOf(env, id).clear());
  await deleteEndpoint(database(env.DB), id);
  await tellChanged(env, id);
}

export async function rotateSecret(
  env: WebhooksEnv,
  owner: WebhookOwner,
  id: string,
  now: number,
  bearer: Bearer,
): Promise<Result<{ readonly secret: string; readonly formerSecretEndsAt: number }, ApiError>> {
  const found = await findOwnEndpoint(env, owner, id);
  if (!found.ok) return found;
  const secret = randomWebhookSecret();
  const sealed = await sealSecret(secret, env.API_KEY_MASTER_KEY, secretContext(id));
  const formerSecretEndsAt = now + FORMER_SECRET_MS;
  const db = database(env.DB);
  if (!(await replaceSecret(db, id, { secret: sealed, formerSecretEndsAt, now }, bearer))) {
    const left = await findEndpoint(db, id);
    return err(left === null ? noSuchEndpoint() : tooManySecrets(left, now));
  }
  await tellChanged(env, id);
  return ok({ secret, formerSecretEndsAt });
}

async function tellChanged(
  env: Pick<WebhooksEnv, 'WEBHOOK_ENDPOINT'>,
  id: string,
  isEnabledByOwner = false,
): Promise<void> {
  await askAgain(() => webhookEndpointOf(env, id).changed(isEnabledByOwner));
}

/** Whether the organization may read has changed: what has waited goes out, or nothing more does; whose object does not answer looks by itself. */
export async function wakeEndpoints(
  env: Pick<WebhooksEnv, 'DB' | 'WEBHOOK_ENDPOINT'>,
  organization: string,
): Promise<void> {
  const endpoints = await listEndpoints(database(env.DB), organization);
  await Promise.allSettled(endpoints.map(({ id }) => webhookEndpointOf(env, id).changed()));
}

/** As they stand in the endpoint's row. They may be credentials: they are sealed, and shown by their names alone. */
async function ownHeaders(
  { API_KEY_MASTER_KEY }: Pick<WebhooksEnv, 'API_KEY_MASTER_KEY'>,
  id: string,
  headers: Readonly<Record<string, string>>,
): Promise<Pick<EndpointWithSecrets, 'headers' | 'headerNames'>> {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headers: null, headerNames };
  return { headers: await sealSecret(JSON.stringify(headers), API_KEY_MASTER_KEY, headersContext(id)), headerNames };
}

/** Of the Standard Webhooks pattern: `whsec_` and base64. */
function randomWebhookSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}

/** Each was promised its time: another one waits until the first of them has ended. */
function tooManySecrets({ formerSecretEndsAt, earlierSecrets }: EndpointWithSecrets, now: number): ApiError {
  const ends = [formerSecretEndsAt ?? 0, ...earlierSecrets.map(({ endsAt }) => endsAt)].filter((at) => at > now);
  const details = {
    reason: 'too_many_secrets',
    max: FORMER_SECRETS_MAX,
    until: new Date(Math.min(...ends)).toISOString(),
  };
  return apiError('CONFLICT', 'as many former secrets still sign as may', details);
}

function noSuchEndpoint(): ApiError {
  return apiError('NOT_FOUND', 'webhook does not exist');
}
