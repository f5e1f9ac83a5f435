import { DEMO_CLIENTS } from '../../application/seed/demo-credentials.ts';
import type { AuditRow } from '../../data/audit/audit-check.ts';

const CLIENT = 'venue-audit';

interface AuditAnswer {
  readonly data: { readonly unsettledBooks: string[]; readonly checks: AuditRow[] };
}

/** Where a running system answers. */
export interface AuditedSystem {
  /** Base address of the exchange profile, without /v1. */
  readonly exchange: string;
  /** Base address of the identity provider. */
  readonly iam: string;
}

/**
 * Asks a running system for its audit, as the machine client of AUDIT_CLIENT_ID and AUDIT_CLIENT_SECRET (the demo's when they are not
 * set), whose user is an operator of the venue.
 */
export async function fetchAudit({ exchange, iam }: AuditedSystem): Promise<AuditRow[]> {
  const accessToken = await requestAccessToken(iam);
  const authorization = { authorization: `Bearer ${accessToken}` };
  const { token } = await call<{ token: string }>(`${exchange}/v1/auth/tenant-token`, {
    method: 'POST',
    headers: authorization,
  });
  const { data } = await call<AuditAnswer>(`${exchange}/v1/operator/audit`, {
    headers: { ...authorization, 'tenant-authorization': token },
  });
  if (data.unsettledBooks.length > 0) console.error(`not settled in time: ${data.unsettledBooks.join(', ')}`);
  return data.checks;
}

async function requestAccessToken(iam: string): Promise<string> {
  const demo = DEMO_CLIENTS.find(({ id }) => id === CLIENT);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: process.env.AUDIT_CLIENT_ID ?? CLIENT,
    client_secret: process.env.AUDIT_CLIENT_SECRET ?? demo?.secret ?? '',
    scope: 'openid',
  });
  const answer = await call<{ access_token: string }>(`${iam}/api/login/oauth/access_token`, {
    method: 'POST',
    body: form,
  });
  return answer.access_token;
}

async function call<Answer>(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  if (!response.ok)
    throw new Error(`${init.method ?? 'GET'} ${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
