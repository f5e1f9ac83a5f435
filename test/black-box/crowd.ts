import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { unstable_startWorker } from 'wrangler';
import type { MemberRequest } from './crowd-member.ts';

/** A second apart. */
const SIGN_IN_TRIES_MAX = 300;

/** A user of the crowd, with an API key for the order-book profile and a machine client for the asset exchange. */
export interface Member {
  readonly name: string;
  /** Headers of profile B. */
  readonly key: Readonly<Record<string, string>>;
  readonly client: { readonly id: string; readonly secret: string };
}

/** Adds users with cash and holdings to the ledger of a system that has been started before and is stopped now. */
export async function seedCrowd(state: string, size: number): Promise<Member[]> {
  const requests = Array.from(
    { length: size },
    (_, index): MemberRequest => ({ name: nameOf(index), secret: `crowd-${index}-secret-of-a-test` }),
  );
  const worker = await unstable_startWorker({
    config: writeConfig(state),
    dev: { persist: state, server: { port: 0 }, inspector: false, watch: false, logLevel: 'error' },
  });
  try {
    const response = await worker.fetch('http://crowd/', { method: 'POST', body: JSON.stringify(requests) });
    if (!response.ok) throw new Error(`the crowd was not seeded: ${await response.text()}`);
  } finally {
    await worker.dispose();
  }
  return requests.map(({ name, secret }) => ({
    name,
    key: { 'x-api-key': name, 'x-api-secret': secret },
    client: { id: name, secret },
  }));
}

/** The configuration by which `npm start` reached the same database, with another Worker. */
function writeConfig(state: string): string {
  const ledger = JSON.parse(readFileSync(join(state, 'ledger-worker.json'), 'utf8')) as Record<string, unknown>;
  const path = join(state, 'crowd-worker.json');
  writeFileSync(path, JSON.stringify({ ...ledger, main: join(import.meta.dirname, 'crowd-worker.ts') }));
  return path;
}

/** Both headers of profile A, by the client-credentials grant and the tenant token. */
export async function signIn(origin: string, { client }: Member): Promise<Readonly<Record<string, string>>> {
  const form = {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
    scope: 'openid',
  };
  const { access_token } = await post<{ access_token: string }>(`${origin}/iam/api/login/oauth/access_token`, {
    body: new URLSearchParams(form),
  });
  const authorization = `Bearer ${access_token}`;
  const { token } = await post<{ token: string }>(`${origin}/exchange/v1/auth/tenant-token`, {
    headers: { authorization },
  });
  return { authorization, 'tenant-authorization': token };
}

/** The crowd comes from one address, which may ask so often in a minute: who is beyond that comes again, as does who is not answered while everything is killed. */
async function post<Answer>(url: string, init: RequestInit): Promise<Answer> {
  let response: Response | null = null;
  let failed: unknown;
  for (let tries = 0; tries < SIGN_IN_TRIES_MAX; tries++) {
    response = await fetch(url, { method: 'POST', ...init }).catch((error: unknown) => {
      failed = error;
      return null;
    });
    if (response !== null && response.status !== 429 && response.status < 500) break;
    await wait(1_000);
  }
  if (response === null) throw new Error(`POST ${url} is not answered`, { cause: failed });
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** It has the form of a key's id. */
function nameOf(index: number): string {
  return `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
}
