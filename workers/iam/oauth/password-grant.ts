import { uuidv7 } from 'uuidv7';
import { redeemOneTimeCode } from '../../../application/identity/one-time-code/redeem-one-time-code.ts';
import { issueTokens } from '../../../application/identity/tokens/issue-tokens.ts';
import { database } from '../../../data/database.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import { isPhoneNumber } from '../../../domain/identity/phone-number.ts';
import type { TokenFields } from './token-form.ts';
import { type TokenResult, tokenRefused, tokenResultOf } from './token-result.ts';

const CODE = /^\d{6}$/;

/** RFC 6749, 4.3, the password being a one-time code. Whatever does not fit together is the same `invalid_grant`. */
export async function passwordGrant(client: OAuthClient, fields: TokenFields, env: Env): Promise<TokenResult> {
  const { username, password } = fields;
  if (username === undefined || password === undefined)
    return tokenRefused('invalid_request', 'username and password are required');
  const scope = parseScope(fields.scope);
  if (scope === null) return tokenRefused('invalid_scope', 'unknown scope');
  const redeemed = isPhoneNumber(username) && CODE.test(password) && (await redeemOneTimeCode(username, password, env));
  const user = redeemed ? await findUserByPhone(database(env.DB), username) : null;
  if (user === null) return tokenRefused('invalid_grant', 'the code is wrong, used or out of date');
  const { id: subject, owner } = user;
  const tokens = await issueTokens(
    { subject, owner, clientId: client.id, user, machine: false, scope, family: uuidv7() },
    env,
  );
  return tokenResultOf(tokens);
}
