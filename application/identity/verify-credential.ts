import { isKeyId } from '../../domain/identity/key-id.ts';
import type { SignedRequest } from '../../domain/identity/signed-text.ts';
import { rateSubjectOf } from '../../domain/limits/address.ts';
import type { RateState } from '../../domain/limits/rate-state.ts';
import type { Result } from '../../domain/result.ts';
import {
  KEYS_UNAVAILABLE,
  type TakesAudience,
  type VerifiedToken,
  verifyAccessToken,
} from '../../durable-objects/credentials/access-token.ts';
import { type Checked, countFirst } from '../../durable-objects/credentials/count-first.ts';
import type { Draw, GateAnswer, KeyProof } from '../../durable-objects/gate/api.ts';
import { userGateName } from '../../protocol/object-names/gate-name.ts';
import { askGate } from './ask-gate.ts';
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
  | { readonly type: 'key'; readonly keyId: string; readonly proof: PresentedProof };

/** How an API key is proved; what is signed, its body above all, is read once the caller is counted. */
type PresentedProof =
  | Exclude<KeyProof, { type: 'signature' | 'bearer' | 'connection' }>
  | { readonly type: 'signature'; readonly signature: string; readonly timestamp: string };

/** What the request draws, and what its signature covers. */
export interface RequestTerms {
  readonly draw: Draw;
  readonly signed: Omit<SignedRequest, 'timestamp'> | null;
}

export interface Presentation<F> {
  readonly credential: PresentedCredential;
  readonly clientAddress: string;
  /** Whether a key that is named beside a token is the one that the request is made under. */
  readonly takesKey: boolean;
  /** Audiences beside the exchange's own whose tokens are taken; none when left out. */
  readonly takesAudience?: TakesAudience | undefined;
  /** Read once the caller is counted; the failure is of a request that is not taken. */
  terms(): Promise<Result<RequestTerms, F>>;
  /** For what need not be over before the answer. */
  later?(work: Promise<unknown>): Promise<unknown>;
}

export type Verification<F> =
  | {
      readonly type: 'answered';
      readonly answer: GateAnswer | { readonly type: 'refused'; readonly reason: string };
      /** Of an access token whose signature holds, whatever the answer. */
      readonly claims: VerifiedToken | null;
      /** Of the address, where it was counted. */
      readonly addressRate: RateState | null;
    }
  | { readonly type: 'unfit'; readonly failure: F; readonly addressRate: RateState | null }
  /** The address has used up its limit. */
  | { readonly type: 'limited'; readonly rate: RateState; readonly retryAfter: number }
  /** A Gate stays out of reach: then nobody is let through. */
  | { readonly type: 'unavailable' };

/**
 * Verifies a credential and counts the request: a key in the Gate alone, a token by its signature here and its revocation there. What fails
 * is counted by the caller's address, and what has not held here before is counted there before anything is done for it.
 */
export async function verifyCredential<F>(env: Env, presentation: Presentation<F>): Promise<Verification<F>> {
  const { credential, clientAddress, terms, later } = presentation;
  const keyId = credential.type === 'key' && isKeyId(credential.keyId) ? credential.keyId : null;
  const shown = { knownBy: knownBy(credential, clientAddress), keyId, clientAddress };
  const check = async (gateName: string | null): Promise<Checked<Outcome<F>>> => {
    const isNobodys = gateName === null || (credential.type === 'key' && keyId === null);
    if (isNobodys) return failing({ type: 'refused', reason: 'unknown_key' }, null);
    const request = await terms();
    if (!request.ok) return { outcome: 'fails', value: { type: 'unfit', failure: request.error } };
    const { answer, claims } = await answerOf(env, presentation, request.value, gateName);
    if (answer === null) return { outcome: 'open', value: { type: 'unavailable' } };
    return answer.type === 'refused'
      ? failing(answer, claims)
      : { outcome: 'holds', value: { type: 'answered', answer, claims } };
  };
  const checked = await countFirst((name, ask) => askGate(env, name, ask), shown, check, later);
  if (checked === null) return { type: 'unavailable' };
  if (checked.type === 'limited') return checked;
  const { value, rate } = checked;
  return value.type === 'unavailable' ? value : { ...value, addressRate: rate };
}

type Answer = Extract<Verification<never>, { type: 'answered' }>;

type Outcome<F> =
  | Omit<Answer, 'addressRate'>
  | { readonly type: 'unfit'; readonly failure: F }
  | { readonly type: 'unavailable' };

function failing(answer: Answer['answer'], claims: VerifiedToken | null): Checked<Omit<Answer, 'addressRate'>> {
  return { outcome: 'fails', value: { type: 'answered', answer, claims } };
}

/**
 * Of a token its signature: whoever has it has the token, and another text with the same signature is refused when it is verified.
 */
function knownBy(credential: PresentedCredential, clientAddress: string): string {
  if (credential.type === 'bearer') {
    const { accessToken, tenantToken, keyId } = credential;
    return `bearer ${signatureOf(accessToken)} ${tenantToken === null ? '' : signatureOf(tenantToken)} ${keyId ?? ''}`;
  }
  const { keyId, proof } = credential;
  switch (proof.type) {
    case 'secret':
      return `secret ${keyId} ${proof.secret}`;
    case 'session':
      return `session ${keyId} ${proof.token}`;
    case 'signature':
      return `signature ${keyId} ${rateSubjectOf(clientAddress)}`;
  }
}

function signatureOf(token: string): string {
  return token.slice(token.lastIndexOf('.') + 1);
}

interface AnswerWithClaims {
  readonly answer: Answer['answer'] | null;
  readonly claims: VerifiedToken | null;
}

async function answerOf<F>(
  env: Env,
  { credential, takesKey, takesAudience }: Presentation<F>,
  { draw, signed }: RequestTerms,
  gateName: string,
): Promise<AnswerWithClaims> {
  if (credential.type === 'key') {
    const attempt = { keyId: credential.keyId, proof: proofOf(credential.proof, signed) };
    return { answer: await askGate(env, gateName, (gate) => gate.admitKey(attempt, draw)), claims: null };
  }
  const { accessToken, tenantToken, keyId } = credential;
  const token = await verifyAccessToken(accessToken, env, takesAudience);
  if (!token.ok && token.error === KEYS_UNAVAILABLE) return { answer: null, claims: null };
  if (!token.ok) return { answer: { type: 'refused', reason: token.error }, claims: null };
  const claims = token.value;
  if (tenantToken !== null && !(await tenantTokenFits(tenantToken, claims, env)))
    return { answer: { type: 'refused', reason: 'tenant_token' }, claims };
  const answer = keyId === null || !takesKey ? admitToken(env, claims, draw) : admitUnderKey(env, claims, keyId, draw);
  return { answer: await answer, claims };
}

function proofOf(proof: PresentedProof, signed: RequestTerms['signed']): KeyProof {
  if (proof.type !== 'signature') return proof;
  if (signed === null) throw new Error('a signature over nothing');
  const { signature, timestamp } = proof;
  return { type: 'signature', signature, request: { timestamp, ...signed } };
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
