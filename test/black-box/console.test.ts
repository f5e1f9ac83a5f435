import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { OLIVIA, signIn, whenSettled } from '../../scripts/web/sign-in.ts';
import { type Page as ConsolePage, PAGES } from '../../web/src/pages.ts';
import { newPage, seriousFaults } from './browsing.ts';
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
