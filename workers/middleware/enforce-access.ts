import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { askGate } from '../../application/identity/ask-gate.ts';
import { rolesGrant } from '../../application/identity/roles-grant.ts';
import { tenantTokenFits } from '../../application/identity/tenant-token.ts';
import { type AccessTokenResult, verifyAccessToken } from '../../durable-objects/credentials/access-token.ts';
import type { GateAnswer } from '../../durable-objects/gate/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { keyGateName, userGateName } from '../../protocol/object-names/gate-name.ts';
import { failure } from '../responses/failure.ts';
import { gateUnavailable } from '../responses/gate-unavailable.ts';
import type { Access } from './access.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientAddressOf } from './client-address.ts';
import { countAddress, rateExceeded } from './count-address.ts';
import { type Credential, readCredential } from './credential.ts';
import { openToOrigins } from './cross-origin.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** docs/design/identity.md#other-limits-of-callers */
const BODY_BYTES_MAX = 64 * 1_024;

type Step = MiddlewareHandler<AppEnv>;

/** Lets a request through to its route's validation and handler, or answers 401, 403, 413 or 429. */
export function enforceAccess(route: RegisteredRoute): [Step, Step, Step] {
  const answer: NonNullable<RegisteredRoute['refused']> = route.refused ?? failure;
  return [
    async (c, next) => {
      c.set('route', route.path);
      openToOrigins(c, route);
      await next();
    },
    limitBody(route.bodyBytesMax ?? BODY_BYTES_MAX, answer),
    async (c, next) => {
      const refusal = await admit(c, route);
      if (refusal?.code === 'UNAUTHORIZED' && route.challenge !== undefined)
        c.header('www-authenticate', route.challenge(c));
      if (refusal !== null) return answer(c, refusal);
      await next();
    },
  ];
}

/** The caller's address pays for a body that is too large. */
function limitBody(bytesMax: number, answer: NonNullable<RegisteredRoute['refused']>): Step {
  const tooLarge = apiError('PAYLOAD_TOO_LARGE', 'the body is too large', { bytesMax });
  return bodyLimit({ maxSize: bytesMax, onError: async (c) => answer(c, (await countAddress(c)) ?? tooLarge) });
}

async function admit(c: AppContext, route: RegisteredRoute): Promise<ApiError | null> {
  if (route.access.credential === 'oauth') return countAddress(c);
  const credential = await readCredential(c.req.raw.headers, () => signedRequestOf(c));
  if (credential.type === 'none' && route.access.credential === 'public') return countAddress(c);
  if (!accepts(route.access, credential))
    return refuse(c, credential.type === 'none' ? 'no_credential' : `${credential.type}_not_accepted`);

  const answer = await verify(c, route, credential);
  if (answer === null) return gateUnavailable();
  if (answer.type === 'refused') return refuse(c, answer.reason);
  c.set('rate', answer.rate);
  if (answer.type === 'limited') return rateExceeded(c, answer.retryAfter);
  c.set('principal', answer.principal);
  return authorize(c.env, route.access, answer);
}

type Presented = Extract<Credential, { type: 'bearer' | 'key' }>;

function accepts(access: Access, credential: Credential): credential is Presented {
  switch (credential.type) {
    case 'none':
    case 'malformed':
      return false;
    case 'key':
      return access.credential === 'key' || access.credential === 'public';
    case 'bearer':
      if (credential.keyId !== null) return ['key', 'public', 'agent'].includes(access.credential);
      return access.credential !== 'tenant' || credential.tenantToken !== null;
  }
}

/** Verifies and counts: for a key in the Gate alone, for a token its signature here and its revocation there. */
async function verify(
  c: AppContext,
  route: RegisteredRoute,
  credential: Presented,
): Promise<GateAnswer | AccessTokenRefused | null> {
  const draw = { bucket: route.bucket, cost: await costOf(c, route), clientAddress: clientAddressOf(c) };
  if (credential.type === 'key') {
    const { attempt } = credential;
    return askGate(c.env, keyGateName(attempt.keyId), (gate) => gate.admitKey(attempt, draw));
  }
  const token = await verifyAccessToken(credential.accessToken, c.env);
  if (token.type === 'refused') return token;
  const { claims } = token;
  c.set('accessToken', claims);
  if (credential.tenantToken !== null && !(await tenantTokenFits(credential.tenantToken, claims, c.env))) {
    return { type: 'refused', reason: 'tenant_token' };
  }
  const user = userGateName(claims.owner, claims.subject);
  const { keyId } = credential;
  if (keyId === null || route.access.credential === 'agent')
    return askGate(c.env, user, (gate) => gate.admitToken(claims, draw));
  const refusal = await askGate(c.env, user, async (gate) => ({ reason: await gate.checkToken(claims) }));
  if (refusal === null) return null;
  if (refusal.reason !== null) return { type: 'refused', reason: refusal.reason };
  const proof = { type: 'bearer', subject: claims.subject, owner: claims.owner } as const;
  return askGate(c.env, keyGateName(keyId), (gate) => gate.admitKey({ keyId, proof }, draw));
}

type AccessTokenRefused = Extract<AccessTokenResult, { type: 'refused' }>;

/** The caller's address pays for what does not hold, never the principal that it names. */
async function refuse(c: AppContext, reason: string): Promise<ApiError> {
  c.set('refusal', reason);
  return (await countAddress(c)) ?? apiError('UNAUTHORIZED', 'missing or invalid authentication');
}

async function authorize(
  env: Env,
  access: Access,
  { principal }: Extract<GateAnswer, { type: 'admitted' }>,
): Promise<ApiError | null> {
  if (access.credential === 'key' && !principal.scopes.includes(access.scope)) {
    return apiError('FORBIDDEN', 'the key lacks the scope', { scope: access.scope });
  }
  const role = 'role' in access ? access.role : undefined;
  if (role !== undefined && !principal.roles.includes(role))
    return apiError('FORBIDDEN', 'the caller lacks the role', { role });
  const permission = 'permission' in access ? access.permission : undefined;
  if (permission !== undefined && !(await rolesGrant(env, principal.roles, permission)))
    return apiError('FORBIDDEN', 'no role of the caller grants the permission', { permission });
  return null;
}

async function costOf(c: AppContext, route: RegisteredRoute): Promise<number> {
  if (route.cost === undefined) return 1;
  try {
    const cost = route.cost(await c.req.json());
    return Number.isSafeInteger(cost) && cost > 1 ? cost : 1;
  } catch {
    return 1; // Not JSON, or not the shape: validation will say so.
  }
}

/** Method ‖ path-with-query ‖ body, the path as the client sent it (docs/design/identity.md#signatures). */
async function signedRequestOf(c: AppContext): Promise<string> {
  const url = new URL(c.req.url);
  return c.req.method + url.pathname + url.search + (await c.req.text());
}
