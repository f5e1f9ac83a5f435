import { isKeyId } from '../../domain/identity/key-id.ts';
import { userGateName } from '../../protocol/object-names/gate-name.ts';
import { verifyAccessToken } from '../credentials/access-token.ts';
import { type AskGate, type Checked, countFirst } from '../credentials/count-first.ts';
import type { CredentialHolder, GateAnswer } from '../gate/api.ts';
import { gateOf } from '../gate/api.ts';
import type { Identity } from './caller.ts';
import { identityOf } from './identity.ts';

type Presented =
  | { readonly type: 'key'; readonly keyId: string; readonly secret: string }
  | { readonly type: 'token'; readonly token: string };

/** What is beyond a limit fits after so many seconds. */
interface Limited {
  readonly retryAfter: number;
}

type Outcome = Identity | 'refused' | Limited;

/**
 * A credential from a first message instead of a header, counted as one of a header is, and then as a subscription is.
 *
 * @param letWait told after how many seconds it may be shown again, where it was shown too often
 */
export async function authenticate(
  env: Env,
  presented: Presented,
  clientAddress: string,
  letWait: (seconds: number) => void = () => undefined,
): Promise<Identity | 'refused' | 'limited'> {
  const ask: AskGate = (name, question) => question(gateOf(env, name));
  const isKey = presented.type === 'key';
  const knownBy = isKey ? `secret ${presented.keyId} ${presented.secret}` : `bearer ${presented.token}`;
  // Counted as what no look-up can find: the caller's address pays for it.
  const keyId = isKey && isKeyId(presented.keyId) ? presented.keyId : null;
  const shown = { knownBy, keyId, clientAddress };
  const counted = await countFirst(ask, shown, (gate) =>
    checked(isKey && keyId === null ? 'refused' : identify(env, presented, gate, clientAddress)),
  );
  if (counted === null) return 'limited';
  const answer = counted.type === 'checked' ? counted.value : counted;
  if (answer === 'refused' || !('retryAfter' in answer)) return answer;
  letWait(answer.retryAfter);
  return 'limited';
}

async function checked(identified: Outcome | Promise<Outcome>): Promise<Checked<Outcome>> {
  const value = await identified;
  return { outcome: value === 'refused' ? 'fails' : 'holds', value };
}

async function identify(
  env: Env,
  presented: Presented,
  gateOfKey: string | null,
  clientAddress: string,
): Promise<Outcome> {
  const draw = { bucket: 'subscriptions', cost: 1, clientAddress } as const;
  if (presented.type === 'key') {
    const { keyId, secret } = presented;
    const attempt = { keyId, proof: { type: 'secret', secret } } as const;
    if (gateOfKey === null) return 'refused';
    const answer = await gateOf(env, gateOfKey).admitKey(attempt, draw);
    return outcome(answer, ({ secretVersion }) => ({ type: 'key', gate: gateOfKey, keyId, secretVersion }));
  }
  const verified = await verifyAccessToken(presented.token, env);
  if (!verified.ok) return 'refused';
  const { expiresAt, signedBy, subject, owner, issuedAt, revocationIds, machine } = verified.value;
  const claims = { subject, owner, issuedAt, revocationIds, machine };
  const gate = userGateName(owner, subject);
  const answer = await gateOf(env, gate).admitToken(claims, draw);
  return outcome(answer, () => ({ type: 'token', gate, claims, expiresAt, signedBy, keyId: null }));
}

function outcome(answer: GateAnswer, credentialOf: (holder: CredentialHolder) => Identity['credential']): Outcome {
  if (answer.type === 'limited') return answer;
  if (answer.type === 'refused') return 'refused';
  return identityOf(answer.principal, credentialOf(answer.principal));
}
