import { organizationExists } from '../../data/accounts/organizations.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import {
  endOAuthClient,
  findOAuthClient,
  grantsOfApplication,
  type OAuthClient,
  registerOAuthClient,
  replaceOAuthClientSecret,
  replaceRedirectUris,
} from '../../data/identity/oauth-clients.ts';
import { findUser } from '../../data/identity/users.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../domain/identity/token-lifetime.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { derivedId } from '../identity/derived-id.ts';
import { invalidateSubject } from '../identity/invalidate-gates.ts';
import { randomSecret } from '../identity/random-secret.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { recordSignIn } from '../identity/sign-ins/record-sign-in.ts';

/** `application`: people sign in through it, and it has no secret. `machine`: it has one, and speaks for a user. */
export const CLIENT_KINDS = ['application', 'machine'] as const;

export type ClientKind = (typeof CLIENT_KINDS)[number];

export interface ClientToMake {
  readonly id: string;
  /** Organization id. */
  readonly owner: string;
  readonly name: string;
  readonly kind: ClientKind;
  /** Whom a machine client speaks for: a service, or a person who agrees to it; null for an application. */
  readonly userId: string | null;
  /** Where an application may be answered by the grant `authorization_code`; none where it does not use it. */
  readonly redirectUris: readonly string[];
  /** Where people may be sent who have signed out through it. */
  readonly postLogoutRedirectUris: readonly string[];
}

/** A client, and its secret where that has just been made for whoever asks: nothing shows it again. */
export interface ClientWithSecret {
  readonly client: OAuthClient;
  readonly secret: string | null;
}

export function clientKindOf({ secretHash }: Pick<OAuthClient, 'secretHash'>): ClientKind {
  return secretHash === null ? 'application' : 'machine';
}

/**
 * Makes a client. Under an id that is taken it makes none: whoever has lost the secret has it replaced. The secret of one that speaks for a
 * person is shown to nobody: that person agrees by having it replaced (`takeClientSecret`).
 */
export async function makeOAuthClient(
  env: Env,
  { id, owner, name, kind, userId, redirectUris, postLogoutRedirectUris }: ClientToMake,
  action: OperatorAction,
): Promise<Result<ClientWithSecret, ApiError>> {
  const db = database(env.DB);
  // Its ID tokens would have the audience of access tokens.
  if (id === env.IAM_AUDIENCE)
    return err(apiError('VALIDATION_ERROR', 'the audience of access tokens is the name of no client', { field: 'id' }));
  if (!(await organizationExists(db, owner)))
    return err(apiError('NOT_FOUND', 'organization does not exist', { field: 'owner' }));
  if ((kind === 'machine') !== (userId !== null)) {
    const message = 'a machine client speaks for a user, an application for whoever signs in';
    return err(apiError('VALIDATION_ERROR', message, { field: 'userId' }));
  }
  const user = userId === null ? null : await findUser(db, userId);
  if (userId !== null && user?.owner !== owner)
    return err(apiError('NOT_FOUND', 'user does not exist', { field: 'userId' }));
  if (kind === 'machine' && redirectUris.length > 0)
    return err(apiError('VALIDATION_ERROR', 'nobody signs in through a machine', { field: 'redirectUris' }));
  if (kind === 'machine' && postLogoutRedirectUris.length > 0)
    return err(apiError('VALIDATION_ERROR', 'nobody signs in through a machine', { field: 'postLogoutRedirectUris' }));
  const isShown = kind === 'machine' && user?.service === true;
  const secret = kind === 'machine' ? randomSecret() : null;
  const secretHash = secret === null ? null : await sha256Hex(secret);
  const grants = kind === 'machine' ? (['client_credentials'] as const) : grantsOfApplication(redirectUris);
  const places = { redirectUris, postLogoutRedirectUris };
  const client = { id, owner, name, secretHash, grants, ...places, userId, createdAt: Date.now() };
  if (!(await registerOAuthClient(db, client, isShown ? action.actor : null, action)))
    return err(apiError('CONFLICT', 'the id is taken', { field: 'id' }));
  const state = { revokedAt: null, waitingSince: null, agreedAt: null };
  return ok({ client: { ...client, ...state }, secret: isShown ? secret : null });
}

/**
 * Gives a machine client of a service another secret. The last one ends at once; tokens that it bought live out their time. One that speaks
 * for a person gets another from that person alone.
 */
export async function rotateOAuthClient(
  env: Env,
  id: string,
  reason: string,
  action: OperatorAction,
): Promise<Result<ClientWithSecret, ApiError>> {
  const db = database(env.DB);
  const client = await findOAuthClient(db, id);
  if (client === null) return err(noSuchClient());
  const user = client.userId === null ? null : await findUser(db, client.userId);
  if (user !== null && !user.service)
    return err(apiError('CONFLICT', 'the person that it speaks for has its secret replaced, by their own token'));
  return replaceSecret(env, { client, isAgreement: false, reason }, action);
}

/** Shows whoever acts another secret of a client. */
export async function replaceSecret(
  env: Env,
  {
    client,
    isAgreement,
    reason,
  }: { readonly client: OAuthClient; readonly isAgreement: boolean; readonly reason: string },
  action: OperatorAction,
): Promise<Result<ClientWithSecret, ApiError>> {
  const db = database(env.DB);
  const secret = randomSecret();
  const secretHash = await sha256Hex(secret);
  const { id } = client;
  const change = { id, secretHash, shownTo: action.actor, isAgreement, reason, now: Date.now() };
  if (!(await replaceOAuthClientSecret(db, change, action)))
    return err(apiError('CONFLICT', 'the client is revoked, or an application, which has no secret'));
  await recordOfClient(env, client, 'client_secret_replaced', action);
  return ok({ client: (await findOAuthClient(db, id)) ?? client, secret });
}

/**
 * States where an application may be answered, in place of what was stated before; nowhere takes the grant by code from it. Where it may be answered after
 * signing out stays as it is where that is not stated.
 */
export async function setRedirectUris(
  env: Env,
  id: string,
  {
    redirectUris,
    postLogoutRedirectUris,
    reason,
  }: {
    readonly redirectUris: readonly string[];
    readonly postLogoutRedirectUris?: readonly string[] | undefined;
    readonly reason: string;
  },
  action: OperatorAction,
): Promise<Result<OAuthClient, ApiError>> {
  const db = database(env.DB);
  const client = await findOAuthClient(db, id);
  if (client === null) return err(noSuchClient());
  const change = {
    client,
    redirectUris,
    postLogoutRedirectUris: postLogoutRedirectUris ?? client.postLogoutRedirectUris,
    reason,
    now: Date.now(),
  };
  if (!(await replaceRedirectUris(db, change, action)))
    return err(apiError('CONFLICT', 'the client is revoked, or a machine, through which nobody signs in'));
  return ok((await findOAuthClient(db, id)) ?? client);
}

/** Ends a client: it gets no token any more, and those that it got end, by the Gates' memory within a minute. */
export async function revokeOAuthClient(
  env: Env,
  id: string,
  reason: string,
  action: OperatorAction,
): Promise<Result<OAuthClient, ApiError>> {
  const db = database(env.DB);
  const client = await findOAuthClient(db, id);
  return client === null ? err(noSuchClient()) : endClient(env, client, reason, action);
}

/** The same for a client that is there. */
export async function endClient(
  env: Env,
  client: OAuthClient,
  reason: string,
  action: OperatorAction,
): Promise<Result<OAuthClient, ApiError>> {
  const db = database(env.DB);
  const { id } = client;
  const now = Date.now();
  // Twice: a token may be made by who has read the client just before.
  const tokensExpireAt = now + 2 * ACCESS_TOKEN_LIFETIME_S * 1_000;
  await endOAuthClient(db, { id, reason, now, tokensExpireAt }, action);
  await invalidateSubject(env, client.owner, client.userId ?? client.id);
  await recordOfClient(env, client, 'client_ended', action);
  return ok((await findOAuthClient(db, id)) ?? client);
}

/** For whoever the client speaks for; once an action. */
async function recordOfClient(
  env: Env,
  { id: clientId, userId }: OAuthClient,
  type: 'client_secret_replaced' | 'client_ended',
  action: OperatorAction,
): Promise<void> {
  const reason = action.actor === userId ? 'by_user' : 'by_another';
  await recordSignIn(env, { userId: userId ?? clientId, type, reason, clientId, id: await derivedId(action.id, type) });
}

function noSuchClient(): ApiError {
  return apiError('NOT_FOUND', 'client does not exist');
}
