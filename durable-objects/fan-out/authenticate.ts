import { userGateName } from '../../protocol/object-names/gate-name.ts';
import { verifyAccessToken } from '../credentials/access-token.ts';
import type { CredentialHolder, GateAnswer } from '../gate/api.ts';
import { gateNameOfKey, gateOf } from '../gate/api.ts';
import type { Identity } from './caller.ts';
import { identityOf } from './identity.ts';

type Presented =
  | { readonly type: 'key'; readonly keyId: string; readonly secret: string }
  | { readonly type: 'token'; readonly token: string };

/** A credential from a first message instead of a header; `limited` when it was sent too often. */
export async function authenticate(
  env: Env,
  presented: Presented,
  clientAddress: string,
): Promise<Identity | 'refused' | 'limited'> {
  const draw = { bucket: 'private', cost: 1, clientAddress } as const;
  if (presented.type === 'key') {
    const { keyId, secret } = presented;
    const attempt = { keyId, proof: { type: 'secret', secret } } as const;
    const gate = await gateNameOfKey(env, keyId);
    if (gate === null) return 'refused';
    const answer = await gateOf(env, gate).admitKey(attempt, draw);
    return outcome(answer, ({ secretVersion }) => ({ type: 'key', gate, keyId, secretVersion }));
  }
  const verified = await verifyAccessToken(presented.token, env);
  if (!verified.ok) return 'refused';
  const { expiresAt, signedBy, subject, owner, issuedAt, revocationIds, machine } = verified.value;
  const claims = { subject, owner, issuedAt, revocationIds, machine };
  const gate = userGateName(owner, subject);
  const answer = await gateOf(env, gate).admitToken(claims, draw);
  return outcome(answer, () => ({ type: 'token', gate, claims, expiresAt, signedBy, keyId: null }));
}

function outcome(
  answer: GateAnswer,
  credentialOf: (holder: CredentialHolder) => Identity['credential'],
): Identity | 'refused' | 'limited' {
  if (answer.type !== 'admitted') return answer.type === 'limited' ? 'limited' : 'refused';
  return identityOf(answer.principal, credentialOf(answer.principal));
}
