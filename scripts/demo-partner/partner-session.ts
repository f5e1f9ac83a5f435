import { clientToken } from '../local/session.ts';

const ANSWER_WAIT_MS = 60_000;

/** A partner that calls its profile by an access token of its machine client. */
export interface PartnerSession {
  /** Organization. */
  readonly id: string;
  /** Header of its calls. */
  readonly authorization: string;
  /** @throws Error when the answer is not a good one */
  call<Data>(target: string, body?: unknown): Promise<Data>;
  /** The answer as text. @throws Error when it is not a good one */
  text(path: string): Promise<string>;
}

interface Applied {
  readonly organization_id: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** An organization applies at the identity provider, and gets its first token; whether it is active is for the venue to say. */
export async function applyAsPartner(origin: string, application: object): Promise<PartnerSession> {
  const applied = await answer<Applied>(`${origin}/iam/v1/organizations`, json('POST', application));
  const authorization = `Bearer ${await clientToken(origin, { id: applied.client_id, secret: applied.client_secret })}`;
  const headers = { authorization };
  return {
    id: applied.organization_id,
    authorization,
    call: (target, body) => {
      const [method = '', path = ''] = target.split(' ');
      return answer(`${origin}/partner${path}`, json(method, body, headers));
    },
    text: async (path) => (await asked(`${origin}/partner${path}`, { headers })).text(),
  };
}

function json(method: string, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function answer<Data>(url: string, init: RequestInit): Promise<Data> {
  return (await (await asked(url, init)).json()) as Data;
}

async function asked(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WAIT_MS) });
  if (!response.ok)
    throw new Error(`${init.method ?? 'GET'} ${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
