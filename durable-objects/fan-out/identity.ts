import { SECURITIES_ROLES } from '../../domain/partner/partner-organization.ts';
import { isPublished } from '../credentials/verification-keys.ts';
import type { CredentialHolder, Watcher } from '../gate/api.ts';
import { gateOf } from '../gate/api.ts';
import type { Identity } from './caller.ts';

/** What a socket keeps of the principal that its credential stands for. */
export function identityOf(
  { facts, scopes, roles }: Pick<CredentialHolder, 'facts' | 'scopes' | 'roles'>,
  credential: Identity['credential'],
): Identity {
  return {
    credential,
    account: scopes.includes('read') ? (facts?.accountId ?? null) : null,
    facts: facts && {
      accreditationStatus: facts.accreditationStatus,
      accreditationType: facts.accreditationType,
      usPerson: facts.usPerson,
    },
    partnerRoles: SECURITIES_ROLES.filter((role) => roles.includes(role)),
  };
}

/**
 * What the credential stands for now, or null when it holds no longer. The Gates that answer tell `watcher` of what changes in the next
 * minute.
 */
export async function identityNow(
  env: Env,
  { credential }: Identity,
  watcher: Watcher,
  now_ms: number,
): Promise<Identity | null> {
  const holder = await holderNow(env, credential, watcher, now_ms);
  return holder && identityOf(holder, credential);
}

async function holderNow(
  env: Env,
  credential: Identity['credential'],
  watcher: Watcher,
  now_ms: number,
): Promise<CredentialHolder | null> {
  const { keyId, gate } = credential;
  const key = (id: string) => gateOf(env, gate).watchKey(id, watcher);
  if (credential.type === 'key') {
    const holder = await key(credential.keyId);
    return holder?.secretVersion === credential.secretVersion ? holder : null;
  }
  if (credential.expiresAt * 1_000 <= now_ms || !(await isPublished(credential.signedBy, env))) return null;
  const bearer = await gateOf(env, gate).watchToken(credential.claims, watcher);
  return bearer === null || keyId === null ? bearer : key(keyId);
}

/** Whether both may see the same. */
export function seesAs(a: Identity, b: Identity): boolean {
  const seen = ({ account, facts, partnerRoles }: Identity) => JSON.stringify([account, facts, partnerRoles]);
  return seen(a) === seen(b);
}
