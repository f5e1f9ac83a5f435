import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { findChromium, launchChromium } from '../../test/black-box/chromium.ts';
import { DEFAULT_PORT, PATHS } from '../local/paths.ts';
import { OLIVIA, signIn, whenSettled } from './sign-in.ts';

/**
 * Pictures of the console of a running demo: `npm run web:pictures [-- --all] [origin]`. A handful goes to docs/console; `--as-it-is` places no orders before; with `--all` every page, or those that are
 * named, at every width in both themes goes to web/.pictures, to be looked at.
 */
const isAll = process.argv.includes('--all');
const origin =
  process.argv.slice(2).find((argument) => argument.startsWith('http')) ??
  `http://localhost:${process.env.PORT ?? DEFAULT_PORT}`;
const target = isAll ? join(PATHS.root, 'web', '.pictures') : join(PATHS.root, 'docs', 'console');

type Theme = 'light' | 'dark';

const WIDTHS = [390, 1_280, 2_560] as const;
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 1280: 900, 2560: 1_300 };
/** Of a picture in the repository. */
const QUALITY = 60;
const BYTES_MAX = 60_000;

const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  markets: '/markets',
  trade: '/assets/acme',
  sell: '/assets/zenith?side=sell',
  broker: '/assets/aapl',
  indication: '/assets/orbit',
  orders: '/orders',
  fills: '/fills',
  positions: '/positions',
  position: '/positions/zenith',
  account: '/account',
  keys: '/account/keys',
  transactions: '/account/transactions',
  fees: '/account/fees',
  statements: '/account/statements',
  statement: `/account/statements/${new Date().toISOString().slice(0, 7)}`,
  gains: '/account/gains',
  about: '/about',
  operator: '/operator',
  'operator-markets': '/operator/markets',
  'operator-market': '/operator/markets/ACME-USD',
  'operator-ledger': '/operator/ledger',
  'operator-audit': '/operator/audit',
  'operator-parts': '/operator/parts',
};

const HANDFUL: readonly (readonly [string, number, Theme])[] = [
  ['home', 1_280, 'light'],
  ['trade', 1_280, 'light'],
  ['trade', 1_280, 'dark'],
  ['orders', 1_280, 'light'],
  ['trade', 390, 'light'],
];

const executable = findChromium();
if (executable === null) throw new Error('no Chromium here (apt-get install chromium, or CHROMIUM_PATH)');
mkdirSync(target, { recursive: true });
if (!process.argv.includes('--as-it-is')) await fillBook();
const browser = await launchChromium(executable);
try {
  const states = { customer: await signedIn(browser), operator: await signedIn(browser, OLIVIA) };
  const wanted = isAll
    ? Object.keys(PAGES)
        .filter(isWanted)
        .flatMap((name) =>
          WIDTHS.flatMap((width) => (['light', 'dark'] as const).map((theme) => [name, width, theme] as const)),
        )
    : HANDFUL;
  for (const [name, width, theme] of wanted) {
    const context = await browser.newContext({
      storageState: name.startsWith('operator') ? states.operator : states.customer,
      colorScheme: theme,
      locale: 'en-US',
      viewport: { width, height: HEIGHTS[width] ?? 900 },
    });
    const page = await context.newPage();
    await page.goto(origin + (PAGES[name] ?? '/'));
    await settled(page);
    if (name === 'trade' || name === 'sell') await fillTicket(page);
    const png = await page.screenshot({ fullPage: isAll && width !== 390 });
    const picture = await sharp(png).webp({ quality: QUALITY, effort: 6 }).toBuffer();
    if (!isAll && picture.length > BYTES_MAX) throw new Error(`the picture of ${name} has ${picture.length} bytes`);
    writeFileSync(join(target, `${name}-${width}-${theme}.webp`), picture);
    await context.close();
  }
} finally {
  await browser.close();
}

function isWanted(name: string): boolean {
  const named = process.argv.slice(2).filter((argument) => argument in PAGES);
  return named.length === 0 || named.includes(name);
}

/** @param phone of another than Alice */
async function signedIn(of: Browser, phone?: string) {
  const context = await of.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, origin, '/orders', phone);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Until nothing loads any more. */
async function settled(page: Page): Promise<void> {
  await whenSettled(page);
  await page.waitForTimeout(1_200);
}

async function fillTicket(page: Page): Promise<void> {
  await page.locator('input[name=price]').fill('25.42');
  await page.locator('input[name=quantity]').fill('30');
  await page.waitForTimeout(1_500);
}

/** A book, some trades, and two orders of Alice to cancel: what a picture without them would not show. */
async function fillBook(): Promise<void> {
  for (let level = 0; level < 10; level++) {
    await order('maker', 'buy', (25.34 - 0.02 * level).toFixed(2), 40 + ((level * 73) % 400));
    await order('bob', 'sell', (25.4 + 0.02 * level).toFixed(2), 6 + ((level * 41) % 30));
  }
  for (const size of [3, 1, 4]) await order('carol', 'buy', '25.42', size, 'IOC');
  await order('alice', 'buy', '25.40', 5);
  await order('alice', 'buy', '25.20', 200);
  await order('alice', 'sell', '25.52', 110);
}

async function order(person: string, side: 'buy' | 'sell', price: string, size: number, time = 'GTC'): Promise<void> {
  const { id, secret } = demoKeyOf(person);
  await fetch(`${origin}/book/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': id, 'x-api-secret': secret },
    body: `{"symbol":"ACME-USD","side":"${side}","type":"limit","price":${price},"size":${size},"time_in_force":"${time}"}`,
  });
}
