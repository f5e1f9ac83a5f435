import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_CLIENTS } from '../../application/seed/demo-credentials.ts';
import type { AuditRow } from '../../data/audit/audit-check.ts';

const CLIENT = 'venue-audit';
const ANSWER_WAIT_MS = 10_000;
/** The audit replays the ledger's journal and walks D1. */
const AUDIT_WAIT_MS = 300_000;
/** A window of calls is a minute. */
const RETRY_AFTER_S_MAX = 60;
const WAITS_MAX = 3;

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
 * set), whose user is an auditor of the venue.
 */
export async function fetchAudit({ exchange, iam }: AuditedSystem): Promise<AuditRow[]> {
  const accessToken = await requestAccessToken(iam);
  const authorization = { authorization: `Bearer ${accessToken}` };
  const { token } = await call<{ token: string }>(`${exchange}/v1/auth/tenant-token`, {
    method: 'POST',
    headers: authorization,
  });
  const headers = { ...authorization, 'tenant-authorization': token };
  const { data } = await call<AuditAnswer>(`${exchange}/v1/operator/audit`, { headers }, AUDIT_WAIT_MS);
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

/**
 * Waits where it is asked to: others of this machine may have used up what its address may ask for.
 *
 * @throws Error that says who did not answer, or what the answer was
 */
async function call<Answer>(url: string, init: RequestInit, wait_ms = ANSWER_WAIT_MS): Promise<Answer> {
  let status: number;
  let text: string;
  try {
    const ask = () => fetch(url, { ...init, signal: AbortSignal.timeout(wait_ms) });
    let response = await ask();
    for (let waits = 0; response.status === 429 && waits < WAITS_MAX; waits++) {
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      console.error(`The system asks for a pause of ${seconds} s.`);
      await wait(Math.min(seconds, RETRY_AFTER_S_MAX) * 1_000);
      response = await ask();
    }
    status = response.status;
    text = await response.text();
  } catch (error) {
    const isSilent = error instanceof Error && error.name === 'TimeoutError';
    const { origin } = new URL(url);
    const what = isSilent ? `does not answer: nothing within ${wait_ms / 1_000} s` : 'cannot be reached';
    throw new Error(
      `The system at ${origin} ${what} (${new URL(url).pathname}). Stop and start it, or try again later.`,
    );
  }
  if (status < 200 || status > 299) throw new Error(`${init.method ?? 'GET'} ${url} answered ${status}: ${text}`);
  return JSON.parse(text) as Answer;
}
