import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { codeOf } from '../../fixtures/call.ts';
import { ConsoleBrowser, signedInAtConsole } from '../../fixtures/console-browser.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let trader: Trader;

beforeAll(async () => {
  db = await migrate();
  trader = await createTrader(db);
});

describe('signing in at the console', () => {
  it('leads by the provider to the page that was asked for, and the browser holds a cookie and no token', async () => {
    const browser = new ConsoleBrowser();
    const location = await browser.start('/assets?rail=private');
    const asked = new URL(location).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    const end = await browser.comeBack(await browser.signInAt(location, trader.phone));
    expect([end.status, end.location]).toEqual([302, '/assets?rail=private']);
    expect(browser.pages.cookie('console-sign-in') ?? '').toBe('');
    const cookie = end.headers.getSetCookie().find((set) => set.startsWith('console=')) ?? '';
    expect(cookie).toMatch(/^console=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const session = await browser.ask('GET /v1/session');
    expect(session.status).toBe(200);
    expect(session.body).toMatchObject({
      user_id: trader.userId,
      organization: { id: trader.owner },
      roles: ['trader'],
      powers: [],
      account: { account_id: trader.accountId },
      environment: 'local',
    });
  });

  it('calls a profile as whoever is signed in', async () => {
    const browser = await signedInAtConsole(trader.phone);
    const account = await browser.ask('GET /call/exchange/v1/account');
    expect([account.status, codeOf(account)]).toEqual([200, null]);
    const orders = await browser.ask('GET /call/book/v1/orders?limit=1');
    expect(orders.status).toBe(200);
  });
});
