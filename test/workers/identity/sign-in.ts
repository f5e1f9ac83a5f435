import { env } from 'cloudflare:workers';
import { database } from '../../../data/database.ts';
import { listDevOutbox } from '../../../data/identity/dev-outbox.ts';
import { createOAuthClient } from '../../../data/identity/oauth-clients.ts';
import { type Answer, call } from './call.ts';

/** A public application that people sign in through. */
export const APP = 'test-app';

export async function createApp(): Promise<void> {
  await createOAuthClient(database(env.DB), {
    id: APP,
    owner: 'org-test',
    name: 'Test application',
    secretHash: null,
    grants: ['password', 'refresh_token'],
    userId: null,
    createdAt: Date.now(),
  });
}

/** Has a code sent and reads it where the local sender put it. */
export async function receiveCode(phone: string): Promise<string> {
  const sent = await call('POST /iam/api/login/oauth/send-code', { form: { phone } });
  if (sent.status !== 200) throw new Error(`no code sent: ${sent.status} ${JSON.stringify(sent.body)}`);
  for (;;) {
    const message = (await listDevOutbox(database(env.DB))).find((candidate) => candidate.phone === phone);
    const code = message && /\d{6}/.exec(message.text)?.[0];
    if (code !== undefined) return code;
    await scheduler.wait(5);
  }
}

export function tokenRequest(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
  return call('POST /iam/api/login/oauth/access_token', { form, headers });
}

export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly bearer: { readonly authorization: string };
  /** Both headers of profile A. */
  readonly tenant: { readonly authorization: string; readonly 'tenant-authorization': string };
}

/** Signs a person in through the token endpoint, as a client would. */
export async function signIn(phone: string): Promise<SignedIn> {
  const { body } = await tokenRequest({
    grant_type: 'password',
    client_id: APP,
    username: phone,
    password: await receiveCode(phone),
    scope: 'openid profile email phone offline_access',
  });
  const tokens = body as { access_token: string; refresh_token: string };
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  const tenantToken = await call('POST /exchange/v1/auth/tenant-token', { headers: bearer });
  const { token } = tenantToken.body as { token: string };
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    bearer,
    tenant: { ...bearer, 'tenant-authorization': token },
  };
}
