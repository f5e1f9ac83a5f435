import { askGate } from '../../../application/identity/ask-gate.ts';
import { type PresentedCredential, verifyCredential } from '../../../application/identity/verify-credential.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { userGateName } from '../../../protocol/object-names/gate-name.ts';
import type { HeldCredential } from '../../../protocol/order-entry/socket-message.ts';
import { gateUnavailable } from '../../responses/gate-unavailable.ts';
import { tooManyRequests } from './too-many-requests.ts';

/** A credential that came as a message: proved as one of a header is, and counted as a cancel: whoever connects anew may have to. */
export async function authenticateSocket(
  env: Env,
  credential: PresentedCredential,
  clientAddress: string,
): Promise<Result<HeldCredential, ApiError>> {
  const draw = { bucket: 'cancels', cost: 1, clientAddress } as const;
  const verified = await verifyCredential<never>(env, {
    credential,
    clientAddress,
    takesKey: true,
    terms: async () => ok({ draw, signed: null }),
  });
  if (verified.type === 'limited') return err(tooManyRequests(verified.retryAfter));
  if (verified.type !== 'answered') return err(gateUnavailable());
  const { answer } = verified;
  if (answer.type === 'refused') return err(apiError('UNAUTHORIZED', 'missing or invalid authentication'));
  if (answer.type === 'limited') return err(tooManyRequests(answer.retryAfter));
  return heldCredential(env, answer.principal, credential.type === 'bearer' ? credential.accessToken : null);
}

/** What a connection goes by from here on, for somebody who has proved who it is. */
export async function heldCredential(
  env: Env,
  { keyId, scopes, owner, userId }: Principal,
  accessToken: string | null,
): Promise<Result<HeldCredential, ApiError>> {
  if (!scopes.includes('trade')) return err(apiError('FORBIDDEN', 'the key lacks the scope', { scope: 'trade' }));
  if (accessToken !== null) return ok({ type: 'token', accessToken, keyId });
  const session = await askGate(env, userGateName(owner, userId), (gate) => gate.openSession(keyId ?? ''));
  if (session === null) return err(gateUnavailable());
  return ok({ type: 'key', keyId: keyId ?? '', session: session.token });
}
