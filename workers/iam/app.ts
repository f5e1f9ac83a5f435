import { createProfile } from '../middleware/profile.ts';
import { authorizeRoutes } from './authorize/authorize-routes.ts';
import { signOutRoutes } from './authorize/sign-out-routes.ts';
import { endClientRoute, listClientsRoute, takeClientSecretRoute } from './clients/client-routes.ts';
import { endConsentRoute, listConsentsRoute } from './clients/consent-routes.ts';
import { createKeyRoute } from './keys/create-key-route.ts';
import { listKeysRoute } from './keys/list-keys-route.ts';
import { listToolCallsRoute } from './keys/list-tool-calls-route.ts';
import { raiseLimitsRoute } from './keys/raise-limits-route.ts';
import { revokeKeyRoute } from './keys/revoke-key-route.ts';
import { rotateKeyRoute } from './keys/rotate-key-route.ts';
import { devMailRoutes } from './mail/dev-mail-routes.ts';
import { mailPreferencesRoutes } from './mail/preferences-routes.ts';
import { unsubscribeRoutes } from './mail/unsubscribe-routes.ts';
import { getDiscoveryRoute } from './oauth/get-discovery-route.ts';
import { getUserinfoRoute } from './oauth/get-userinfo-route.ts';
import { issueAccessTokenRoute } from './oauth/issue-access-token-route.ts';
import { registerClientRoute } from './oauth/register-client-route.ts';
import { revokeTokenRoute } from './oauth/revoke-token-route.ts';
import { accreditationPageRoutes } from './onboarding/accreditation-routes.ts';
import { entityApiRoutes } from './onboarding/entity-api-routes.ts';
import { entityRoutes } from './onboarding/entity-routes.ts';
import { identityApiRoutes } from './onboarding/identity-api-routes.ts';
import { identityRoutes } from './onboarding/identity-routes.ts';
import { signUpRoutes } from './onboarding/sign-up-routes.ts';
import { readDevOutboxRoute } from './one-time-code/read-dev-outbox-route.ts';
import { sendCodeRoute } from './one-time-code/send-code-route.ts';
import { getOwnOrganizationRoute } from './organizations/get-own-organization-route.ts';
import { registerOrganizationRoute } from './organizations/register-organization-route.ts';
import { pullKillSwitchRoute } from './pull-kill-switch-route.ts';
import { securityRoutes } from './security/security-routes.ts';
import { endSessionRoute, endSessionsRoute, listSessionsRoute } from './sessions/session-routes.ts';
import { listSignInsRoute } from './sign-ins/list-sign-ins-route.ts';
import { getJwksRoute } from './signing-keys/get-jwks-route.ts';
import { getMasterKeysRoute } from './signing-keys/get-master-keys-route.ts';
import { rotateSigningKeyRoute } from './signing-keys/rotate-signing-key-route.ts';

/** The embedded identity provider, API keys and kill switches. */
export const iam = createProfile({
  name: 'iam',
  title: 'Identity provider',
  fieldNames: 'camelCase',
  description: 'OpenID provider of the exchange, and its API keys: tokens, revocation, rotation and kill switches.',
});

authorizeRoutes(iam);
signOutRoutes(iam);
securityRoutes(iam);
signUpRoutes(iam);
identityRoutes(iam);
identityApiRoutes(iam);
accreditationPageRoutes(iam);
entityRoutes(iam);
entityApiRoutes(iam);
registerClientRoute(iam);
issueAccessTokenRoute(iam);
sendCodeRoute(iam);
revokeTokenRoute(iam);
getUserinfoRoute(iam);
getDiscoveryRoute(iam);
getJwksRoute(iam);
rotateSigningKeyRoute(iam);
getMasterKeysRoute(iam);
createKeyRoute(iam);
listKeysRoute(iam);
listToolCallsRoute(iam);
rotateKeyRoute(iam);
revokeKeyRoute(iam);
raiseLimitsRoute(iam);
listClientsRoute(iam);
takeClientSecretRoute(iam);
endClientRoute(iam);
listConsentsRoute(iam);
endConsentRoute(iam);
registerOrganizationRoute(iam);
getOwnOrganizationRoute(iam);
listSessionsRoute(iam);
endSessionsRoute(iam);
endSessionRoute(iam);
listSignInsRoute(iam);
pullKillSwitchRoute(iam);
readDevOutboxRoute(iam);
mailPreferencesRoutes(iam);
unsubscribeRoutes(iam);
devMailRoutes(iam);
