import { keyGateName, userGateName } from '../../domain/identity/gate-name.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { verifyAccessToken } from '../gate/access-token.ts';
import type { GateAnswer } from '../gate/api.ts';
import { gateOf, type Identity } from './caller.ts';

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
    const answer = await gateOf(env, keyGateName(keyId)).admitKey(attempt, draw);
    return outcome(answer, { type: 'key', keyId });
  }
  const verified = await verifyAccessToken(presented.token, env);
  if (verified.type === 'refused') return 'refused';
  const { expiresAt, subject, owner, issuedAt, revocationIds, machine } = verified.claims;
  const claims = { subject, owner, issuedAt, revocationIds, machine };
  const gate = userGateName(owner, subject);
  return outcome(await gateOf(env, gate).admitToken(claims, draw), { type: 'token', gate, claims, expiresAt });
}

/** What a socket keeps of the principal that its credential stands for. */
export function identityOf(principal: Principal, credential: Identity['credential']): Identity {
  const { facts, scopes } = principal;
  return {
    credential,
    account: scopes.includes('read') ? (facts?.accountId ?? null) : null,
    facts: facts && {
      accreditationStatus: facts.accreditationStatus,
      accreditationType: facts.accreditationType,
      usPerson: facts.usPerson,
    },
  };
}

function outcome(answer: GateAnswer, credential: Identity['credential']): Identity | 'refused' | 'limited' {
  if (answer.type !== 'admitted') return answer.type === 'limited' ? 'limited' : 'refused';
  return identityOf(answer.principal, credential);
}
