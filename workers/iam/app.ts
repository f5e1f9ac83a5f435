import { createProfile } from '../middleware/profile.ts';
import { createKey } from './keys/create-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { listKeyToolCalls } from './keys/list-tool-calls.ts';
import { raiseLimits } from './keys/raise-limits.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { killSwitch } from './kill-switch.ts';
import { accessToken } from './oauth/access-token.ts';
import { discovery } from './oauth/discovery.ts';
import { revoke } from './oauth/revoke.ts';
import { userinfo } from './oauth/userinfo.ts';
import { readDevOutbox } from './one-time-code/read-dev-outbox.ts';
import { sendCode } from './one-time-code/send-code.ts';
import { jwks } from './signing-keys/jwks.ts';
import { rotateSigningKey } from './signing-keys/rotate-signing-key.ts';

/** The embedded identity provider, API keys and kill switches. */
export const iam = createProfile({
  name: 'iam',
  title: 'Identity provider',
  description: 'OpenID provider of the exchange, and its API keys: tokens, revocation, rotation and kill switches.',
});

for (const register of [
  accessToken,
  sendCode,
  revoke,
  userinfo,
  discovery,
  jwks,
  rotateSigningKey,
  createKey,
  listKeys,
  listKeyToolCalls,
  rotateKey,
  revokeKey,
  raiseLimits,
  killSwitch,
  readDevOutbox,
]) {
  register(iam);
}
