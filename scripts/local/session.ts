import { TokenSession } from '../../clients/sdk/token-session.ts';

const ANSWER_WAIT_MS = 60_000;
const CODE_WAIT_MS = 20_000;
const CODE_STEP_MS = 500;

/** Somebody who is signed in to profile A. */
export interface Session {
  /** @throws Error when the answer is not the one that is expected */
  call<Data>(target: string, body?: unknown, expected?: number): Promise<Data>;
  /** Sends bytes in place of JSON. @throws Error when the answer is no 200 */
  upload<Data>(target: string, bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Data>;
}

/** Signs a person in by phone and one-time code, which the local outbox shows, through an application. */
export async function signIn(origin: string, phone: string, client: string): Promise<Session> {
  await answer(`${origin}/iam/api/login/oauth/send-code`, form({ phone, client_id: client }));
  const fields = { grant_type: 'password', client_id: client, username: phone, scope: 'openid profile email phone' };
  const password = await receivedCode(origin, phone);
  const url = `${origin}/iam/api/login/oauth/access_token`;
  const { access_token } = await answer<{ access_token: string }>(url, form({ ...fields, password }));
  return sessionOf(origin, access_token);
}

/** A machine client. */
export interface MachineClient {
  readonly id: string;
  readonly secret: string;
}

/** Signs a machine client in, for the person that it speaks for. */
export async function signInClient(origin: string, client: MachineClient): Promise<Session> {
  return sessionOf(origin, await clientToken(origin, client));
}

/** An access token of a machine client. */
export function clientToken(origin: string, { id, secret }: MachineClient): Promise<string> {
  return new TokenSession({ iamUrl: `${origin}/iam`, clientId: id, clientSecret: secret }).accessToken();
}

function form(fields: Record<string, string>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields) };
}

async function sessionOf(origin: string, accessToken: string): Promise<Session> {
  const authorization = `Bearer ${accessToken}`;
  const { token } = await answer<{ token: string }>(`${origin}/exchange/v1/auth/tenant-token`, {
    method: 'POST',
    headers: { authorization },
  });
  const headers = { authorization, 'tenant-authorization': token };
  return {
    call: async (target, body, expected = 200) => {
      const [method = '', path = ''] = target.split(' ');
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      return answer(`${origin}/exchange${path}`, { method, headers: { ...headers, ...type }, ...json }, expected);
    },
    upload: async (target, bytes, type) => {
      const [method = '', path = ''] = target.split(' ');
      return answer(`${origin}/exchange${path}`, {
        method,
        headers: { ...headers, 'content-type': type },
        body: bytes,
      });
    },
  };
}

async function receivedCode(origin: string, phone: string): Promise<string> {
  for (let waited_ms = 0; waited_ms < CODE_WAIT_MS; waited_ms += CODE_STEP_MS) {
    await new Promise((resolve) => setTimeout(resolve, CODE_STEP_MS));
    const { data } = await answer<{ data: { phone: string; text: string }[] }>(`${origin}/iam/dev/outbox`, {});
    const message = data.find((each) => each.phone === phone);
    const code = /\d{6}/.exec(message?.text ?? '')?.[0];
    if (code !== undefined) return code;
  }
  throw new Error(`no one-time code came for ${phone}`);
}

async function answer<Data>(url: string, init: RequestInit, expected = 200): Promise<Data> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WAIT_MS) });
  const text = await response.text();
  if (response.status !== expected)
    throw new Error(`${init.method ?? 'GET'} ${url} answered ${response.status}, not ${expected}: ${text}`);
  return JSON.parse(text) as Data;
}
