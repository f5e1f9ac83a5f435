import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { findApiKey, type StoredApiKey } from '../../../data/identity/api-keys.ts';
import { createAuthorization } from '../../../data/identity/authorizations.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import {
  type ClientConsent,
  findClientConsent,
  listConsentsBeyond,
  recordClientConsent,
} from '../../../data/identity/client-consents.ts';
import { findUserFacts } from '../../../data/identity/gate-facts.ts';
import { HOUR_MS } from '../../../domain/calendar/durations.ts';
import type { Asker, AuthorizationTerms } from '../../../domain/identity/authorization-request.ts';
import { CODE_MS_MAX, CONSENT_MS_MAX } from '../../../domain/identity/browser-session.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { isLoopback } from '../../../domain/identity/redirect-uri.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { hourlyId } from '../hourly-id.ts';
import { type AssetLimits, scaledLimits } from '../keys/asset-limits.ts';
import { CASH_SCALE, createKey, type KeyTerms } from '../keys/create-key.ts';
import { isInForce } from '../keys/is-in-force.ts';
import { endKey } from '../keys/revoke-key.ts';
import { randomSecret } from '../random-secret.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { assetsNamed } from './assets-named.ts';
import type { AuthorizingClient } from './authorizing-client.ts';
import { endConsent } from './own-consents.ts';
import type { Target } from './target.ts';

/** A request whose client, place of answer and terms hold, of a browser that is signed in. */
export interface ProvedRequest {
  readonly client: AuthorizingClient;
  readonly asker: Asker;
  readonly terms: AuthorizationTerms;
  readonly target: Target;
}

/** What an agent may do, as the person sets it. Amounts are US dollars; null is no limit. */
export interface AgentLimits {
  readonly mayTrade: boolean;
  /** Markets that it may trade; null for all. */
  readonly symbols: readonly string[] | null;
  readonly dailyNotionalMax: number | null;
  readonly dailyLossMax: number | null;
  readonly assets: readonly AgentAssetLimit[];
  /** When it ends by itself, Unix milliseconds; null for no end of its own. */
  readonly until: number | null;
}

/** What it may hold and order of one asset, in numbers of the asset; null for no limit. */
export interface AgentAssetLimit {
  /** The asset's symbol or its name, as the person writes it. */
  readonly asset: string;
  readonly positionMax: number | null;
  readonly orderMax: number | null;
}

const NAME_LENGTH_MAX = 100;

/** What the person has allowed this client before, and its key where that is in force. */
interface Allowed {
  readonly consent: ClientConsent | null;
  readonly key: StoredApiKey | null;
}

export async function allowedBefore(env: Env, userId: string, { client, terms }: ProvedRequest): Promise<Allowed> {
  const db = database(env.DB);
  const of = { userId, clientId: client.id, resource: terms.resource ?? '' };
  const consent = await findClientConsent(db, of);
  const key = consent?.keyId ? await findApiKey(db, consent.keyId) : null;
  return { consent, key: key !== null && isInForce(env, key, Date.now()) ? key : null };
}

/**
 * Whether the person need not be asked again. On their own machine, and under a scheme of an app, any program may be the client: there
 * they are asked each time (RFC 8252, 8.6).
 */
export function isAllowed({ consent, key }: Allowed, { asker, terms, target }: ProvedRequest, now: number): boolean {
  if (consent === null || terms.prompts.has('consent') || now - consent.agreedAt > CONSENT_MS_MAX) return false;
  if (isLoopback(asker.redirectUri) || !asker.redirectUri.startsWith('https://')) return false;
  if (target.kind === 'agent' && key === null) return false;
  const allowed = consent.scope.split(' ');
  return terms.scope.every((scope) => allowed.includes(scope));
}

/**
 * Writes down that the person allows it. An agent gets an API key of its own with these limits, in place of the one that it had: its secret is
 * shown to nobody, and the agent's tokens act under it and under no other.
 *
 * @returns the consent
 */
export async function allowClient(
  env: Env,
  session: BrowserSession,
  request: ProvedRequest,
  limits: AgentLimits | null,
): Promise<Result<ClientConsent, ApiError>> {
  const db = database(env.DB);
  const { client, terms, target } = request;
  let keyId: string | null = null;
  if (target.kind === 'agent') {
    if (limits === null) return err(apiError('VALIDATION_ERROR', 'an agent has limits', { field: 'limits' }));
    const before = await allowedBefore(env, session.userId, request);
    const key = await keyOfAgent(env, session, { name: client.name, before: before.key, limits });
    if (!key.ok) return key;
    keyId = key.value;
  }
  const { id: clientId, name: clientName } = client;
  const consent: ClientConsent = {
    id: uuidv7(),
    userId: session.userId,
    clientId,
    clientName,
    resource: terms.resource ?? '',
    scope: terms.scope.join(' '),
    keyId,
    agreedAt: Date.now(),
  };
  const name = `client allowed ${session.userId} ${JSON.stringify([clientId, consent.resource, consent.scope, keyId])}`;
  // The same again within the hour is one entry.
  const id = await recordClientConsent(db, consent, session, await hourlyId(consent.agreedAt, name));
  if (id !== null) {
    // With its keys and tokens: nothing acts for a person that their list does not show. What fails is tried with the next one.
    for (const oldest of await listConsentsBeyond(db, session.userId)) await endConsent(env, session.userId, oldest);
    return ok({ ...consent, id });
  }
  // Signed out meanwhile: what was made for it goes with it.
  const key = keyId === null ? null : await findApiKey(db, keyId);
  const ended = key === null ? null : await endKey(env, key);
  return ended === null || ended.ok ? err(apiError('UNAUTHORIZED', 'the browser is not signed in any more')) : ended;
}

/** A code for what the person has allowed; null where their session or what it stands on has ended, or they have had too many today. */
export async function codeFor(
  env: Env,
  session: BrowserSession,
  { client, asker, terms, target }: ProvedRequest,
  { id: consentId, keyId }: Pick<ClientConsent, 'id' | 'keyId'>,
): Promise<string | null> {
  const code = randomSecret();
  const now = Date.now();
  const authorization = {
    codeHash: await sha256Hex(code),
    family: uuidv7(),
    consentId,
    userId: session.userId,
    clientId: client.id,
    redirectUri: asker.redirectUri,
    challenge: terms.challenge,
    nonce: terms.nonce,
    scope: terms.scope.join(' '),
    resource: terms.resource ?? '',
    audience: target.audience,
    keyId: target.kind === 'agent' ? keyId : null,
    authTime: session.createdAt,
    method: session.method,
    createdAt: now,
    expiresAt: now + CODE_MS_MAX,
    keptUntil: now + HOUR_MS,
  };
  const made = await createAuthorization(database(env.DB), authorization, session.hash);
  return made ? code : null;
}

/** The key that the agent has, where its limits are these; else another, and once that is made the one that it had ends. @returns its id */
async function keyOfAgent(
  env: Env,
  { userId, createdAt }: BrowserSession,
  {
    name,
    before,
    limits,
  }: { readonly name: string; readonly before: StoredApiKey | null; readonly limits: AgentLimits },
): Promise<Result<string, ApiError>> {
  const user = await findUserFacts(database(env.DB), userId);
  if (user === null || user.account === null) return err(apiError('FORBIDDEN', 'only a trading account has API keys'));
  const holder = { userId, owner: user.owner, facts: user.account };
  const wanted = await termsOfKey(env, user.account, name, limits);
  if (!wanted.ok) return wanted;
  if (before !== null && hasTerms(before, wanted.value)) return ok(before.id);
  // First: whoever mistypes, or has as many keys as they may, keeps what they had.
  const made = await createKey(env, holder, { userId, issuedAt: Math.floor(createdAt / 1_000) }, wanted.value.terms);
  if (!made.ok) return made;
  const { key } = made.value;
  const ended = before === null ? null : await endKey(env, before);
  if (ended === null || ended.ok) return ok(key.id);
  // Nothing acts under the new one: the next try makes another.
  await endKey(env, key);
  return ended;
}

interface AgentKeyTerms {
  readonly terms: KeyTerms;
  /** Limits per asset in scaled units, as a key keeps them. */
  readonly positions: AssetLimits;
  readonly orderSizes: AssetLimits;
}

async function termsOfKey(
  env: Env,
  facts: AccountFacts,
  name: string,
  { mayTrade, symbols, dailyNotionalMax, dailyLossMax, assets, until }: AgentLimits,
): Promise<Result<AgentKeyTerms, ApiError>> {
  const ids = await assetsNamed(
    env,
    facts,
    assets.map(({ asset }) => asset),
  );
  if (!ids.ok) return ids;
  const limitsBy = (limitOf: (limit: AgentAssetLimit) => number | null): AssetLimits => {
    const stated = assets.flatMap((limit, row) => {
      const max = limitOf(limit);
      return max === null ? [] : [[ids.value[row] ?? '', max] as const];
    });
    return stated.length === 0 ? null : Object.fromEntries(stated);
  };
  const positionLimits = limitsBy(({ positionMax }) => positionMax);
  const orderSizeLimits = limitsBy(({ orderMax }) => orderMax);
  const inRow = (error: ApiError) => withRow(error, ids.value);
  const positions = await scaledLimits(env, facts, 'positionLimits', positionLimits);
  if (!positions.ok) return err(inRow(positions.error));
  const orderSizes = await scaledLimits(env, facts, 'orderSizeLimits', orderSizeLimits);
  if (!orderSizes.ok) return err(inRow(orderSizes.error));
  const terms: KeyTerms = {
    name: `Agent: ${name}`.slice(0, NAME_LENGTH_MAX),
    scopes: mayTrade ? ['read', 'trade'] : ['read'],
    expiresAt: until,
    ipAllowlist: null,
    positionLimits,
    orderSizeLimits,
    dailyLossMax,
    dailyNotionalMax,
    symbols,
  };
  return ok({ terms, positions: positions.value, orderSizes: orderSizes.value });
}

/** Says of which of the stated assets a limit does not hold. */
function withRow(error: ApiError, ids: readonly string[]): ApiError {
  const row = ids.indexOf(String(error.details?.assetId));
  return row < 0 ? error : { ...error, details: { ...error.details, row } };
}

function hasTerms(key: StoredApiKey, { terms, positions, orderSizes }: AgentKeyTerms): boolean {
  const cents = (dollars: number | null) => (dollars === null ? null : Math.round(dollars * 10 ** CASH_SCALE));
  const listed = (texts: readonly string[] | null) => (texts === null ? null : [...new Set(texts)].sort().join('\n'));
  const byAsset = (limits: AssetLimits) =>
    listed(limits === null ? null : Object.entries(limits).map(([asset, limit]) => JSON.stringify([asset, limit])));
  return (
    listed(key.scopes) === listed(terms.scopes) &&
    listed(key.symbols) === listed(terms.symbols) &&
    key.dailyLossMax === cents(terms.dailyLossMax) &&
    key.dailyNotionalMax === cents(terms.dailyNotionalMax) &&
    key.ipAllowlist === null &&
    byAsset(key.positionLimits) === byAsset(positions) &&
    byAsset(key.orderSizeLimits) === byAsset(orderSizes) &&
    key.expiresAt === terms.expiresAt
  );
}
