import { type VerifiedToken, verifyAccessToken } from '../../durable-objects/credentials/access-token.ts';
import type { Draw, GateAnswer, KeyAttempt } from '../../durable-objects/gate/api.ts';
import { userGateName } from '../../protocol/object-names/gate-name.ts';
import { askGate, findGateOfKey } from './ask-gate.ts';
import { tenantTokenFits } from './tenant-token.ts';

/** A credential as a caller presents it: well formed, and not verified yet. */
export type PresentedCredential =
  | {
      readonly type: 'bearer';
      readonly accessToken: string;
      readonly tenantToken: string | null;
      /** The API key of the bearer's own that the request is made under. */
      readonly keyId: string | null;
    }
  | { readonly type: 'key'; readonly attempt: KeyAttempt };

export interface Verification {
  /** Null when the Gate stays out of reach: then nobody is let through. */
  readonly answer: GateAnswer | { readonly type: 'refused'; readonly reason: string } | null;
  /** Of an access token whose signature holds, whatever the answer. */
  readonly claims: VerifiedToken | null;
}

/**
 * Verifies a credential and counts the request: a key in the Gate alone, a token by its signature here and its revocation there.
 *
 * @param takesKey whether a key that is named beside a token is the one that the request is made under
 */
export async function verifyCredential(
  env: Env,
  credential: PresentedCredential,
  draw: Draw,
  takesKey: boolean,
): Promise<Verification> {
  if (credential.type === 'key') {
    const { attempt } = credential;
    return { answer: await admitKey(env, attempt, draw), claims: null };
  }
  const { accessToken, tenantToken, keyId } = credential;
  const token = await verifyAccessToken(accessToken, env);
  if (!token.ok) return { answer: { type: 'refused', reason: token.error }, claims: null };
  const claims = token.value;
  if (tenantToken !== null && !(await tenantTokenFits(tenantToken, claims, env)))
    return { answer: { type: 'refused', reason: 'tenant_token' }, claims };
  const answer = keyId === null || !takesKey ? admitToken(env, claims, draw) : admitUnderKey(env, claims, keyId, draw);
  return { answer: await answer, claims };
}

async function admitKey(env: Env, attempt: KeyAttempt, draw: Draw): Promise<Verification['answer']> {
  const gate = await findGateOfKey(env, attempt.keyId);
  if (gate === null) return null;
  if (gate.name === null) return { type: 'refused', reason: 'unknown_key' };
  return askGate(env, gate.name, (of) => of.admitKey(attempt, draw));
}

function admitToken(env: Env, claims: VerifiedToken, draw: Draw): Promise<GateAnswer | null> {
  return askGate(env, userGateName(claims.owner, claims.subject), (gate) => gate.admitToken(claims, draw));
}

/** Counts as the key does; the token must hold besides. The key is looked for at its bearer's Gate alone. */
async function admitUnderKey(env: Env, claims: VerifiedToken, keyId: string, draw: Draw): Promise<GateAnswer | null> {
  const { subject, owner } = claims;
  const gateName = userGateName(owner, subject);
  const refusal = await askGate(env, gateName, async (gate) => ({ reason: await gate.checkToken(claims) }));
  if (refusal === null) return null;
  if (refusal.reason !== null) return { type: 'refused', reason: refusal.reason };
  const proof = { type: 'bearer', subject, owner } as const;
  return askGate(env, gateName, (gate) => gate.admitKey({ keyId, proof }, draw));
}
