import { z } from 'zod';

/** What the console asks of a provider that is not our own (OpenID Connect Discovery 1.0). */
interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly revocation: string | null;
}

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url().optional(),
});

const ANSWER_MS_MAX = 5_000;
const KEPT_MS = 300_000;

let known: { readonly issuer: string; readonly endpoints: Endpoints; readonly until: number } | null = null;

/** Its endpoints, by what it says of itself; null while it cannot be asked. */
export async function endpointsOf({ IAM_ISSUER: issuer }: Pick<Env, 'IAM_ISSUER'>): Promise<Endpoints | null> {
  if (known?.issuer === issuer && known.until > Date.now()) return known.endpoints;
  try {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const read = Metadata.safeParse(answer.ok ? await answer.json() : null);
    // OpenID Connect Discovery 1.0, 4.3: it has to say the issuer that it was asked as.
    if (!read.success || read.data.issuer !== issuer) return null;
    const { authorization_endpoint, token_endpoint, revocation_endpoint } = read.data;
    const endpoints = {
      authorization: authorization_endpoint,
      token: token_endpoint,
      revocation: revocation_endpoint ?? null,
    };
    known = { issuer, endpoints, until: Date.now() + KEPT_MS };
    return endpoints;
  } catch {
    return null;
  }
}

type Client = Pick<Env, 'CONSOLE_CLIENT_ID'> & Partial<Pick<Env, 'CONSOLE_CLIENT_SECRET'>>;

/** Sends a form as the console, by the client that the vars name. Null where nothing was answered. */
export async function sendAsConsole(
  url: string,
  { CONSOLE_CLIENT_ID: id, CONSOLE_CLIENT_SECRET: secret = '' }: Client,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: unknown } | null> {
  const isPublic = secret === '';
  const authorization = `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: isPublic ? {} : { authorization },
      body: new URLSearchParams(isPublic ? { ...form, client_id: id } : form),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  } catch {
    return null;
  }
}
