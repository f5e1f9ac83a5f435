import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { findEnrolled } from '../../../data/identity/factors.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { hasSecondFactor } from '../../../domain/identity/factors.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import { typedCode } from '../../../domain/identity/one-time-code.ts';
import type { SignInRefusal } from '../../../domain/identity/sign-in-entry.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { newDeviceMailId } from '../../mail/new-device-mail.ts';
import { carryMail } from '../../mail/post-mail.ts';
import { numberAsKept } from '../one-time-code/number-as-kept.ts';
import { redeemOneTimeCode } from '../one-time-code/redeem-one-time-code.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';
import { type IssuedTokens, issueTokens } from '../tokens/issue-tokens.ts';
import type { GrantFields } from './grant-fields.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';

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
  const code = typedCode(password);
  const phone = code === null ? null : await numberAsKept(database(env.DB), username);
  const user = phone === null ? null : await findUserByPhone(database(env.DB), phone);
  const redeemed =
    code !== null && phone !== null && (await redeemOneTimeCode(phone, code, clientAddress, env, client.id));
  if (user !== null && !redeemed) {
    const refusal = { type: 'refused', reason: 'wrong_code' satisfies SignInRefusal } as const;
    fields.later(recordSignIn(env, { ...refusal, userId: user.id, clientId: client.id, caller: fields }));
  }
  if (user === null || !redeemed) return oauthError('invalid_grant', 'the code is wrong, used or out of date');
  const { id: subject, owner } = user;
  // Who has a second factor does not show it here: such a session is not carried on.
  const { passkeys, totp } = await findEnrolled(database(env.DB), subject);
  const isShort = hasSecondFactor({ passkeys, totp });
  const request = {
    subject,
    owner,
    clientId: client.id,
    user,
    machine: false,
    scope: isShort ? scope.filter((one) => one !== 'offline_access') : scope,
    family: uuidv7(),
    caller: fields,
  };
  const tokens = await issueTokens(request, env);
  fields.later(carryMail(env, [newDeviceMailId(request.family)]));
  return ok(tokens);
}
