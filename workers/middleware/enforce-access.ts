import type { MiddlewareHandler } from 'hono';
import { authorize, type Needs } from '../../application/identity/authorize.ts';
import { stepUpChallenge, stepUpFailure } from '../../application/identity/factors/step-up.ts';
import { recordRefusedPower } from '../../application/identity/refused-power.ts';
import { sha256Hex } from '../../application/identity/sha256-hex.ts';
import {
  type PresentedCredential,
  type RequestTerms,
  verifyCredential,
} from '../../application/identity/verify-credential.ts';
import { authorizePartner } from '../../application/partner/authorize-partner.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { EMPTY_BODY_HASH, type SignedRequest } from '../../domain/identity/signed-text.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { VerifiedToken } from '../../durable-objects/credentials/access-token.ts';
import type { Draw } from '../../durable-objects/gate/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { failure } from '../responses/failure.ts';
import { gateUnavailable } from '../responses/gate-unavailable.ts';
import type { Access } from './access.ts';
import { admitBrowser } from './admit-browser.ts';
import { type AppContext, type AppEnv, credentialOf } from './app-env.ts';
import { audiencesOf } from './audience.ts';
import { clientAddressOf } from './client-address.ts';
import { countAddress, rateExceeded } from './count-address.ts';
import { type Credential, presentsKey, readCredential } from './credential.ts';
import { openToOrigins } from './cross-origin.ts';
import { queryFailure } from './query-failure.ts';
import { declaredBodyFailure, receiveBody } from './receive-body.ts';
import type { RegisteredRoute } from './registered-route.ts';
import { flawOf, signatureFailure } from './signature-failure.ts';

type Step = MiddlewareHandler<AppEnv>;

/** Lets a request through to its route's validation and handler, or answers 400, 401, 403, 408, 413 or 429. */
export function enforceAccess(route: RegisteredRoute): [Step, Step] {
  const answer: NonNullable<RegisteredRoute['refused']> = route.refused ?? failure;
  return [
    async (c, next) => {
      c.set('route', route.path);
      openToOrigins(c, route);
      await next();
    },
    async (c, next) => {
      const unread = (await admit(c, route)) ?? queryFailure(c, route);
      const stopped = unread === null ? await route.beforeBody?.(c) : null;
      if (stopped) return stopped;
      const refusal = unread ?? (readsByItself(route) ? null : await receiveBody(c, route));
      if (refusal?.code === 'UNAUTHORIZED' && route.challenge !== undefined)
        c.header('www-authenticate', route.challenge(c));
      if (refusal?.code === 'STEP_UP_REQUIRED') c.header('www-authenticate', stepUpChallenge(refusal));
      if (refusal !== null) return answer(c, refusal);
      await next();
    },
  ];
}

/** Its handler counts the sender, and reads the body that the signature covers (webhook-sender.ts). */
function isWebhook({ access }: RegisteredRoute): boolean {
  return access.credential === 'webhook';
}

/** The handler has the body: of a webhook, and of a call that is passed on to a route with bounds of its own. */
function readsByItself({ access }: RegisteredRoute): boolean {
  return access.credential === 'webhook' || (access.credential === 'console' && access.session === 'passed_on');
}

async function admit(c: AppContext, route: RegisteredRoute): Promise<ApiError | null> {
  const { headers } = c.req.raw;
  const unfit = declaredBodyFailure(c, route);
  // The caller's address pays for a body that is not taken: who the caller is has not been asked yet.
  if (unfit !== null) return (await countAddress(c)) ?? unfit;
  if (route.access.credential === 'oauth') return countAddress(c);
  if (isWebhook(route)) return null;
  if (route.access.credential === 'console')
    return admitBrowser(c, { ...route, access: route.access }, (credential) => admitCredential(c, route, credential));
  if (!takesKeys(route.access) && presentsKey(headers)) return refuse(c, 'key_not_accepted');
  const credential = readCredential(headers);
  if (credential.type === 'none' && route.access.credential === 'public') return countAddress(c);
  if (!accepts(route.access, credential)) {
    const flaw = credential.type === 'malformed' ? credential.flaw : undefined;
    const refusal = flaw === undefined ? UNAUTHORIZED : signatureFailure(c, flaw);
    return refuse(c, credential.type === 'none' ? 'no_credential' : `${credential.type}_not_accepted`, refusal);
  }
  return admitCredential(c, route, credential);
}

async function admitCredential(
  c: AppContext,
  route: RegisteredRoute,
  credential: PresentedCredential,
): Promise<ApiError | null> {
  const verified = await verifyCredential<ApiError>(c.env, {
    credential,
    clientAddress: clientAddressOf(c),
    takesKey: route.access.credential !== 'agent',
    takesAudience: audiencesOf(c, route),
    terms: () => termsOf(c, route, credential),
    later: async (work) => c.executionCtx.waitUntil(work),
  });
  if (verified.type === 'unavailable') return gateUnavailable();
  if (verified.type === 'limited') {
    c.set('rate', verified.rate);
    return rateExceeded(c, verified.retryAfter);
  }
  if (verified.addressRate !== null) c.set('rate', verified.addressRate);
  if (verified.type === 'unfit') return verified.failure;
  const { answer, claims } = verified;
  if (claims !== null) c.set('accessToken', claims);
  if (answer.type === 'refused') {
    c.set('refusal', answer.reason);
    const flaw = isSignature(credential) ? flawOf(answer.reason, credential.proof.timestamp) : null;
    return flaw === null ? UNAUTHORIZED : signatureFailure(c, flaw);
  }
  c.set('rate', answer.rate);
  if (answer.type === 'limited') return rateExceeded(c, answer.retryAfter);
  c.set('principal', answer.principal);
  const needs = needsOf(route.access);
  const failed = await authorize(c.env, answer.principal, needs);
  if (failed !== null && needs.power !== undefined) {
    const attempt = `${route.method.toUpperCase()} ${route.path}`;
    const actor = { principal: answer.principal, credential: credentialOf(c), requestId: c.get('requestId') };
    await recordRefusedPower(c.env, actor, { power: needs.power, attempt });
  }
  return failed ?? (await askForFactor(c, route, claims)) ?? admitPartner(c, route.access, answer.principal);
}

/** Why a person has to show a factor first; null where they have, or are asked for none. */
async function askForFactor(
  c: AppContext,
  { freshFactor }: RegisteredRoute,
  claims: VerifiedToken | null,
): Promise<ApiError | null> {
  if (freshFactor !== true || claims === null || claims.machine) return null;
  return stepUpFailure(c.env, claims);
}

/** Of a caller who is counted: what the request draws, and what its signature covers. */
async function termsOf(
  c: AppContext,
  route: RegisteredRoute,
  credential: PresentedCredential,
): Promise<Result<RequestTerms, ApiError>> {
  const isSigned = isSignature(credential);
  if (isSigned || route.cost !== undefined || route.bucketOf !== undefined) {
    const unfit = await receiveBody(c, route);
    if (unfit !== null) return err(unfit);
  }
  const draw = { ...(await drawOf(c, route)), clientAddress: clientAddressOf(c) };
  return ok({ draw, signed: isSigned ? await signedRequestOf(c) : null });
}

/** Before validation: a partner that is not active learns nothing of what a request should look like. */
async function admitPartner(c: AppContext, access: Access, principal: Principal): Promise<ApiError | null> {
  if (access.credential !== 'partner') return null;
  const partner = await authorizePartner(c.env, principal, access);
  if (!partner.ok) return partner.error;
  c.set('partner', partner.value);
  return null;
}

function accepts(access: Access, credential: Credential): credential is PresentedCredential {
  switch (credential.type) {
    case 'none':
    case 'malformed':
      return false;
    case 'key':
      return takesKeys(access);
    case 'bearer':
      if (credential.keyId !== null) return ['key', 'public', 'agent'].includes(access.credential);
      return access.credential !== 'tenant' || credential.tenantToken !== null;
  }
}

type SignedCredential = Extract<PresentedCredential, { type: 'key' }> & {
  readonly proof: Extract<Extract<PresentedCredential, { type: 'key' }>['proof'], { type: 'signature' }>;
};

function isSignature(credential: PresentedCredential): credential is SignedCredential {
  return credential.type === 'key' && credential.proof.type === 'signature';
}

function takesKeys({ credential }: Access): boolean {
  return credential === 'key' || credential === 'public';
}

function needsOf(access: Access): Needs {
  return {
    scope: 'scope' in access ? access.scope : undefined,
    power: 'power' in access ? access.power : undefined,
    permission: 'permission' in access ? access.permission : undefined,
  };
}

/** The caller's address pays for what does not hold, never the principal that it names. */
async function refuse(c: AppContext, reason: string, refusal = UNAUTHORIZED): Promise<ApiError> {
  c.set('refusal', reason);
  return (await countAddress(c)) ?? refusal;
}

const UNAUTHORIZED = apiError('UNAUTHORIZED', 'missing or invalid authentication');

async function drawOf(c: AppContext, route: RegisteredRoute): Promise<Pick<Draw, 'bucket' | 'cost'>> {
  const declared = { bucket: route.bucket, cost: 1 };
  if (route.cost === undefined && route.bucketOf === undefined) return declared;
  try {
    const body: unknown = await c.req.json();
    const cost = route.cost?.(body) ?? 1;
    return {
      bucket: route.bucketOf?.(body) ?? route.bucket,
      cost: Number.isSafeInteger(cost) && cost > 1 ? cost : 1,
    };
  } catch {
    return declared; // Not JSON, or not the shape: validation will say so.
  }
}

/** The path is as the runtime hands it over (domain/identity/signed-paths.ts). */
async function signedRequestOf(c: AppContext): Promise<Omit<SignedRequest, 'timestamp'>> {
  const url = new URL(c.req.url);
  const body = await c.req.arrayBuffer();
  const bodyHash = body.byteLength === 0 ? EMPTY_BODY_HASH : await sha256Hex(body);
  return { method: c.req.method, path: url.pathname + url.search, bodyHash };
}
