import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { isEndedForAll } from '../../../../application/identity/authorization/authorizing-client.ts';
import { endApplications } from '../../../../application/operator/end-application.ts';
import type { Database } from '../../../../data/database.ts';
import { listApiKeys } from '../../../../data/identity/api-keys.ts';
import { createOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { Browser, pkce } from '../../fixtures/browser.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, tokenRequest } from '../../fixtures/sign-in.ts';
import { AgentClient, MCP } from '../agent/agent-client.ts';

const APPLICATIONS = '/v1/operator/applications';
const REDIRECT = 'https://own.northwind.com/cb';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

async function registered(name: string): Promise<string> {
  const json = { client_name: name, redirect_uris: [REDIRECT] };
  const { body } = await call('POST /iam/api/login/oauth/register', { json, address: freshAddress() });
  return (body as { client_id: string }).client_id;
}

function urlOf(clientId: string, challenge: string): string {
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: 'openid offline_access',
    resource: MCP,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return `http://localhost/iam/api/login/oauth/authorize?${new URLSearchParams(query)}`;
}

interface Allowed {
  readonly trader: Trader;
  readonly browser: Browser;
  readonly tokens: { readonly access_token: string; readonly refresh_token: string };
  /** Of a code that was not used yet. */
  readonly redeem: () => Promise<{ readonly status: number; readonly body: unknown }>;
}

/** Somebody lets an application act as their agent; it has tokens, and a further code. */
async function allowed(clientId: string): Promise<Allowed> {
  const trader = await createTrader(db);
  const browser = new Browser();
  const { verifier, challenge } = await pkce();
  const url = urlOf(clientId, challenge);
  await browser.signIn(url, trader.phone);
  const code = async (): Promise<string> => {
    const { location } = await browser.send(url, await browser.open(`${url}&prompt=consent`), { answer: 'allow' });
    return new URL(location ?? 'about:blank').searchParams.get('code') ?? '';
  };
  const redeem = (of: string) =>
    tokenRequest({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code: of,
      code_verifier: verifier,
      resource: MCP,
    });
  const bought = await redeem(await code());
  expect(bought.status).toBe(200);
  const unused = await code();
  return { trader, browser, tokens: bought.body as Allowed['tokens'], redeem: () => redeem(unused) };
}

const pingOf = async ({ tokens }: Allowed): Promise<number> => {
  const agent = new AgentClient({ authorization: `Bearer ${tokens.access_token}` });
  return (await agent.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status;
};

interface View {
  readonly clientId: string;
  readonly kind: string;
  readonly name: string | null;
  readonly people: number;
  readonly endedAt: string | null;
  readonly finishedAt: string | null;
}

async function viewOf(client: Client, clientId: string): Promise<View | undefined> {
  const { body } = await client.get<{ data: View[] }>(`${APPLICATIONS}?limit=100`);
  return body.data.find((view) => view.clientId === clientId);
}

const word = (clientId: string) => ({ clientId, reason: 'it lost its secrets' });

describe('an application that an operator ends for everybody', () => {
  it('gets no token, is allowed by nobody, and loses its tokens and keys; another goes on', async () => {
    const [bad, good] = [await registered('Bad'), await registered('Good')];
    const people = await Promise.all([allowed(bad), allowed(bad)]);
    const [first] = people;
    const spared = await allowed(good);
    const clerk = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    expect(await viewOf(clerk, bad)).toMatchObject({ kind: 'registered', name: 'Bad', people: 2, endedAt: null });
    for (const who of [...people, spared]) expect(await pingOf(who)).toBe(200);
    const ended = await clerk.post<{ data: View }>(`${APPLICATIONS}/end`, word(bad));
    expect(ended.status).toBe(200);
    expect(ended.body.data.finishedAt).not.toBeNull();
    expect((await clerk.post(`${APPLICATIONS}/end`, word(bad))).status, 'once').toBe(409);
    expect(await viewOf(clerk, bad)).toMatchObject({ people: 0, endedAt: expect.any(String) });
    for (const who of people) {
      expect(await pingOf(who)).toBe(401);
      expect((await listApiKeys(db, who.trader.userId)).map(({ status }) => status)).toEqual(['revoked']);
      const refresh = { grant_type: 'refresh_token', client_id: bad, refresh_token: who.tokens.refresh_token };
      expect((await tokenRequest(refresh)).status).toBe(401);
      expect((await who.redeem()).status).toBe(401);
      expect((await who.browser.open(urlOf(bad, (await pkce()).challenge))).status).toBe(400);
    }
    expect(await pingOf(spared)).toBe(200);
    expect((await spared.redeem()).status).toBe(200);
    const trail = await env.DB.prepare("SELECT id FROM domain_events WHERE type = 'operator.application_ended'").all();
    expect(trail.results).toHaveLength(1);
    const again = await clerk.post(`${APPLICATIONS}/readmit`, word(bad));
    expect(again.status).toBe(200);
    expect((await clerk.post(`${APPLICATIONS}/readmit`, word(bad))).status).toBe(404);
    expect((await first.browser.open(urlOf(bad, (await pkce()).challenge))).status).toBe(200);
    expect(await pingOf(first)).toBe(401);
  });

  it('is ended person by person, and the job goes on with what one call has no time for', async () => {
    const crowded = await registered('Crowded');
    const row = env.DB.prepare(
      "INSERT INTO consents (id, user_id, client_id, client_name, resource, scope, key_id, agreed_at) VALUES (?, ?, ?, 'Crowded', '', 'openid', NULL, ?)",
    );
    const rows = Array.from({ length: 65 }, () => crypto.randomUUID());
    await env.DB.batch(rows.map((id) => row.bind(id, id, crowded, Date.now())));
    const clerk = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const ended = await clerk.post<{ data: View }>(`${APPLICATIONS}/end`, word(crowded));
    expect(ended.body.data).toMatchObject({ finishedAt: null, ended: 10, failed: 0 });
    expect((await viewOf(clerk, crowded))?.people).toBe(55);
    expect((await clerk.post(`${APPLICATIONS}/readmit`, word(crowded))).status, 'still being ended').toBe(409);
    expect(await endApplications(env, Date.now())).toBe(true);
    expect(await endApplications(env, Date.now())).toBe(false);
    expect(await viewOf(clerk, crowded)).toMatchObject({ people: 0, finishedAt: expect.any(String) });
  });

  it('is none of the venue’s own, and is ended by operators of the venue alone', async () => {
    const terms = { owner: 'org-test', secretHash: null, grants: ['authorization_code'] as const, userId: null };
    await createOAuthClient(db, {
      ...terms,
      id: 'own-app',
      name: 'Own',
      redirectUris: [REDIRECT],
      createdAt: Date.now(),
    });
    const clerk = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    expect((await clerk.post(`${APPLICATIONS}/end`, word('own-app'))).status).toBe(409);
    expect((await clerk.post(`${APPLICATIONS}/end`, word(crypto.randomUUID()))).status).toBe(404);
    const byDocument = 'https://agent.northwind.com/client.json';
    for (const who of [
      await signedIn(await createTrader(db)),
      await signedIn(await createTrader(db, { roles: ['operator'] })),
      await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] })),
    ])
      expect((await who.post(`${APPLICATIONS}/end`, word(byDocument))).status).toBe(403);
    expect((await clerk.post(`${APPLICATIONS}/end`, word(byDocument))).status, 'nobody allows it').toBe(404);
    for (const none of ['https://agent.northwind.com', 'https://a b/c.json'])
      expect((await clerk.post(`${APPLICATIONS}/end`, { ...word(none), inAdvance: true })).status).toBe(404);
    // Whoever stops harm waits for no second operator.
    (env as { OPERATOR_APPROVALS: string }).OPERATOR_APPROVALS = 'required';
    const stopped = await clerk.post(`${APPLICATIONS}/end`, { ...word(byDocument), inAdvance: true });
    expect(stopped.status).toBe(200);
    expect((await clerk.post(`${APPLICATIONS}/readmit`, word(byDocument))).status, 'asks for one').toBe(409);
    (env as { OPERATOR_APPROVALS: string }).OPERATOR_APPROVALS = 'off';
    for (const id of [byDocument, 'https://agent.northwind.com/other.json?again=1']) {
      const url = urlOf(id, (await pkce()).challenge);
      expect((await new Browser().open(url)).status).toBe(400);
      expect(await isEndedForAll(env, id)).toBe(true);
    }
    expect(await isEndedForAll(env, 'https://agent.northwind.com.example/client.json')).toBe(false);
  });
});
