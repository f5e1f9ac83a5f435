import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { BOB, OLIVIA, signIn, whenSettled } from '../../scripts/web/sign-in.ts';
import { type Page as ConsolePage, PAGES } from '../../web/src/pages.ts';
import { cuttableFeed, focusIsSeen, newPage, newTab, seriousFaults, tabTo } from './browsing.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const executable = findChromium();
// Written past vitest, which keeps the console of passing tests to itself.
if (executable === null)
  process.stderr.write('console: skipped, no Chromium here (apt-get install chromium, or CHROMIUM_PATH)\n');

describe.skipIf(executable === null)('the console in Chromium', () => {
  let system: LocalSystem;
  let browser: Browser;
  let page: Page;
  /** Of the operator of the venue, in a browser of her own. */
  let operatorPage: Page;
  /** What the browser kept a page from, or a page complained of; empty when all is well. */
  const complaints: string[] = [];

  beforeAll(async () => {
    system = await localSystem();
    await system.start();
    browser = await launchChromium(executable ?? '');
    page = await newPage(browser, complaints);
    operatorPage = await newPage(browser, complaints);
  });

  afterAll(async () => {
    await browser?.close();
    await system?.stop('SIGTERM');
  });

  /** An order of somebody else, by their key. */
  async function placeAs(person: string, order: object): Promise<void> {
    const { id, secret } = demoKeyOf(person);
    const response = await fetch(`${system.origin}/book/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': id, 'x-api-secret': secret },
      body: JSON.stringify(order),
    });
    expect([response.status, await response.clone().text()]).toEqual([200, expect.stringContaining('order_id')]);
  }

  test('leads Alice from signing in to a share, its position, a cancelled order, and out again', async () => {
    await placeAs('bob', { symbol: 'ACME-USD', side: 'sell', type: 'limit', price: 25.36, size: 3 });

    await signIn(page, system.origin, '/markets');
    await page.getByLabel('Search by symbol or name').fill('acme');
    await page.getByRole('link', { name: 'ACME', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'ACME-USD' }).waitFor();

    // Bob's offer stands in the book; pressing its price fills the ticket.
    await page.getByRole('button', { name: '25.36', exact: true }).click();
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await ticket.getByLabel('Quantity').fill('3');
    await ticket.getByText('You pay about').waitFor();
    expect(await ticket.getByText('76.08 USD').first().isVisible()).toBe(true);
    await ticket.getByRole('button', { name: 'Buy 3 ACME' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Buy 3 ACME' }).click();
    await ticket.getByText('The order is placed.').waitFor();
    await page.getByRole('heading', { name: 'Position 2,003 ACME in 2 lots' }).waitFor();

    await ticket.getByLabel('Limit price').fill('20');
    await ticket.getByLabel('Quantity').fill('7');
    await ticket.getByRole('button', { name: 'Buy 7 ACME' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Buy 7 ACME' }).click();
    await page.getByRole('heading', { name: '1 open order' }).waitFor();

    await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { level: 1, name: '1 open order' }).waitFor();
    await page.getByRole('button', { name: /^Cancel order in ACME-USD/ }).click();
    await page.getByRole('heading', { level: 1, name: '0 open orders' }).waitFor();

    await page.getByRole('link', { name: 'Fills' }).click();
    await page.getByRole('heading', { level: 1, name: '1 fill' }).waitFor();
    expect(await page.getByRole('cell', { name: '25.36' }).isVisible()).toBe(true);
  });

  test('says which rule would refuse an order before it is sent', async () => {
    await page.goto(`${system.origin}/assets/nordic?side=sell`);
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await ticket.getByLabel('Limit price').fill('8');
    await ticket.getByLabel('Quantity').fill('100');
    await ticket.getByText('These shares are in their hold period').waitFor();
    await ticket.getByLabel('Quantity').press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('finds an asset by the keyboard alone', async () => {
    await page.goto(`${system.origin}/orders`);
    await whenSettled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'What are you looking for?' }).fill('zen');
    await page.getByRole('option', { name: 'ZENITH Zenith Fusion' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ZENITH-USD' }).waitFor();
  });

  test('takes an order, and its end, by the keyboard alone, and always shows where the focus is', async () => {
    await page.goto(`${system.origin}/markets`);
    await whenSettled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'What are you looking for?' }).waitFor();
    await page.keyboard.type('acme');
    await page.getByRole('option', { name: 'ACME Acme Robotics' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ACME-USD' }).waitFor();
    // Another page has the focus, so that the next Tab goes into it.
    await page.locator('main:focus').waitFor();

    expect(await tabTo(page, page.locator('input[name=price]'))).toEqual([]);
    await page.keyboard.type('19.5');
    expect(await tabTo(page, page.locator('input[name=quantity]'))).toEqual([]);
    await page.keyboard.type('4');
    await page.getByText('You pay at most').or(page.getByText('Held until it is done')).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await focusIsSeen(page)).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The order is placed.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // The window gives the focus back to the ticket; where something is typed, keys are letters.
    await page.locator('#ticket :focus').waitFor();
    expect(await tabTo(page, page.locator('#ticket button[type=submit]'))).toEqual([]);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: '1 open order' }).waitFor();
    expect(await tabTo(page, page.getByRole('button', { name: /^Cancel order in ACME-USD/ }))).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '0 open orders' }).waitFor();
  });

  test('leaves single keys alone for who has turned them off, and begins an order by one for who wants it', async () => {
    const keys = async () => {
      await page.getByRole('button', { name: /^Alice Novak/ }).click();
      await page.getByRole('menuitem', { name: 'Keys', exact: true }).click();
      return page.getByRole('dialog');
    };
    await page.goto(`${system.origin}/assets/acme?side=sell`);
    await whenSettled(page);
    const opened = await keys();
    await opened.getByLabel('Keys without Ctrl do something').uncheck();
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('b');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?side=sell');

    const dialog = await keys();
    await dialog.getByLabel('Keys without Ctrl do something').check();
    await dialog.getByLabel('b and s begin an order').check();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('b');
    await page.locator('#ticket input[name=quantity]:focus').waitFor();
    expect(new URL(page.url()).searchParams.get('side')).toBe('buy');
  });

  test('shows two who trade with each other the same trade, in each tab of them', async () => {
    const bobPage = await newPage(browser, complaints);
    const secondTab = await newTab(page);
    await signIn(bobPage, system.origin, '/assets/acme?side=sell', BOB);
    await secondTab.goto(`${system.origin}/orders`);
    await placeAs('alice', { symbol: 'ACME-USD', side: 'buy', type: 'limit', price: 24.13, size: 6 });
    await secondTab.getByRole('heading', { level: 1, name: '1 open order' }).waitFor();

    // Bob sees her bid in the book, and sells into it.
    await bobPage.getByRole('button', { name: '24.13', exact: true }).click();
    const ticket = bobPage.getByRole('region', { name: 'Order ticket' });
    await ticket.getByLabel('Quantity').fill('6');
    await ticket.getByRole('button', { name: 'Sell 6 ACME' }).click();
    await bobPage.getByRole('dialog').getByRole('button', { name: 'Sell 6 ACME' }).click();
    await ticket.getByText('The order is placed.').waitFor();

    await secondTab.getByRole('heading', { level: 1, name: '0 open orders' }).waitFor();
    await secondTab.goto(`${system.origin}/fills`);
    await secondTab.getByRole('cell', { name: '24.13' }).waitFor();
    await bobPage.goto(`${system.origin}/fills`);
    await bobPage.getByRole('cell', { name: '24.13' }).waitFor();
    await secondTab.close();
    await bobPage.context().close();
  });

  test('says that its live data are lost, keeps what it shows, and heals by what came meanwhile', async () => {
    const storageState = await page.context().storageState();
    const watched: string[] = [];
    const cut = await newPage(browser, watched, { storageState });
    const line = await cuttableFeed(cut);
    await cut.goto(`${system.origin}/assets/acme`);
    await cut.getByText('Live', { exact: true }).waitFor();
    line.cut();
    await cut
      .getByText(/^Live data lost at/)
      .first()
      .waitFor();
    await placeAs('bob', { symbol: 'ACME-USD', side: 'sell', type: 'limit', price: 27.77, size: 2 });
    expect(await cut.getByRole('button', { name: '27.77', exact: true }).count()).toBe(0);
    line.heal();
    await cut.getByText('Live', { exact: true }).waitFor();
    await cut.getByRole('button', { name: '27.77', exact: true }).waitFor();
    expect(watched).toEqual([]);
    await cut.context().close();
  });

  test('leads back to the same page whose session has ended meanwhile', async () => {
    const storageState = await page.context().storageState();
    const watched: string[] = [];
    const ended = await newPage(browser, watched, { storageState });
    await ended.goto(`${system.origin}/positions/acme`);
    await whenSettled(ended);
    await ended.context().clearCookies();
    await ended.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Orders' }).click();
    await ended.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(ended.url()).searchParams.get('return_to')).toBe('/orders');
    await ended.context().close();
  });

  test('shows an operator who halts a market why it stands still, and lets them resume it', async () => {
    await signIn(operatorPage, system.origin, '/operator/markets/ZENITH-USD', OLIVIA);
    await operatorPage.getByRole('button', { name: 'Halt this market' }).click();
    const dialog = operatorPage.getByRole('dialog');
    await dialog.getByText('Open orders that are cancelled').waitFor();
    await dialog.getByLabel('Why?').fill('News pending');
    await dialog.getByRole('button', { name: /^Halt, and cancel \d+ orders?$/ }).click();
    await dialog.waitFor({ state: 'detached' });

    await operatorPage.getByRole('link', { name: 'Now', exact: true }).click();
    await operatorPage.getByText('ZENITH-USD stands still: halted by a person', { exact: true }).waitFor();
    await operatorPage.getByText('Olivia Reyes: “News pending”').waitFor();
    await operatorPage.getByRole('link', { name: /^What to do ?: ZENITH-USD/ }).click();
    await operatorPage.getByRole('button', { name: 'Resume this market' }).click();
    await dialog.getByLabel('Why?').fill('The news are out');
    await dialog.getByRole('button', { name: 'Resume ZENITH-USD' }).click();
    await operatorPage.getByText('It takes orders', { exact: true }).waitFor();
  });

  test('has no page with a serious fault of accessibility, in either theme', async () => {
    const found: string[] = [];
    const orderId = await firstOrder();
    const ownPage = page;
    for (const { path, power } of PAGES as readonly ConsolePage[]) {
      const page = power === undefined ? ownPage : operatorPage;
      const address = path.replace('$assetId', 'zenith').replace('$orderId', orderId).replace('$symbol', 'ZENITH-USD');
      await page.goto(system.origin + address);
      await whenSettled(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
        for (const fault of await seriousFaults(page)) found.push(`${address} ${colorScheme}: ${fault}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('shows what somebody has written as text, whatever it would do as a page', async () => {
    const words = '<img src=x onerror="document.body.textContent=1"> {{1+1}} javascript:alert(1)';
    const status = await operatorPage.evaluate(
      async (json) => {
        const headers = {
          'content-type': 'application/json',
          'x-console': '1',
          'idempotency-key': crypto.randomUUID(),
        };
        const path = '/console/call/exchange/v1/operator/incidents';
        return (await fetch(path, { method: 'POST', headers, body: json })).status;
      },
      JSON.stringify({ title: words, parts: ['trading'], words }),
    );
    expect(status).toBe(200);
    for (const [at, address] of [
      [operatorPage, '/operator/incidents'],
      [operatorPage, '/operator/trail'],
      [page, '/status'],
      [page, '/'],
    ] as const) {
      await at.goto(system.origin + address);
      await at.getByText(words).first().waitFor();
    }
    const keyName = '"><script>document.title="theirs"</script>';
    await page.goto(`${system.origin}/account/keys`);
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(keyName);
    await page.getByRole('dialog').getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'I have kept the secret' }).click();
    await page.getByText(keyName).first().waitFor();
    expect(await page.locator('img[src=x], main script').count()).toBe(0);
  });

  test('signs out, and shows nothing of Alice any more', async () => {
    await page.goto(`${system.origin}/`);
    await page.getByRole('button', { name: /^Alice Novak/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor();
    await page.goto(`${system.origin}/positions`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('return_to')).toBe('/positions');
  });

  test('was kept from nothing by its policy, and complained of nothing', () => {
    expect(complaints).toEqual([]);
  });

  async function firstOrder(): Promise<string> {
    const { id, secret } = demoKeyOf('alice');
    const response = await fetch(`${system.origin}/book/v1/orders`, {
      headers: { 'x-api-key': id, 'x-api-secret': secret },
    });
    const { orders } = (await response.json()) as { orders: { order_id: string }[] };
    return orders[0]?.order_id ?? '';
  }
});
