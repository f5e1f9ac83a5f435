import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import { isPhoneNumber } from '../../../domain/identity/phone-number.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { redeemOneTimeCode } from '../one-time-code/redeem-one-time-code.ts';
import { type IssuedTokens, issueTokens } from '../tokens/issue-tokens.ts';
import type { GrantFields } from './grant-fields.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';

const CODE = /^\d{6}$/;

/** RFC 6749, 4.3, the password being a one-time code. Whatever does not fit together is the same `invalid_grant`. */
export async function passwordGrant(
  env: Env,
  client: OAuthClient,
  fields: GrantFields,
): Promise<Result<IssuedTokens | null, OAuthError>> {
  const { username, password, clientAddress } = fields;
  if (username === undefined || password === undefined)
    return oauthError('invalid_request', 'username and password are required');
  const scope = parseScope(fields.scope);
  if (scope === null) return oauthError('invalid_scope', 'unknown scope');
  const isFormed = isPhoneNumber(username) && CODE.test(password);
  const user = isFormed ? await findUserByPhone(database(env.DB), username) : null;
  const redeemed = isFormed && (await redeemOneTimeCode(username, password, clientAddress, env));
  if (user === null || !redeemed) return oauthError('invalid_grant', 'the code is wrong, used or out of date');
  const { id: subject, owner } = user;
  const request = { subject, owner, clientId: client.id, user, machine: false, scope, family: uuidv7() };
  return ok(await issueTokens(request, env));
}
