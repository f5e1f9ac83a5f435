/**
 * `npm run bench:console`: how soon the console's page of trading is there and answers, on a processor slowed four times, beside a bare page of the same stack (React, router, queries, one
 * button) from the same server in the same run; and the same page for a minute with a book that changes 1,000 times a second. The book's changes are made up beside the exchange: on one
 * machine, a real book at that pace would take the processor from the browser.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { build } from 'vite';
import { ownSettings, startOwnSystem } from '../scripts/local/own-system.ts';
import { buildConsole } from '../scripts/web/build-console.ts';
import { signIn } from '../scripts/web/sign-in.ts';
import { findChromium, launchChromium } from '../test/black-box/chromium.ts';
import { startFront } from './console/front.ts';
import { figuresOf, heapOf, type PageFigures, seeAnew, watchPages } from './console/page-figures.ts';
import { percentile } from './load.ts';
import { median, printReport } from './report.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
/** For a machine that is busy with other things, too. */
const WAIT_MS = 300_000;
const SLOWED = 4;
const STREAM_MS = sized(60_000, 2_000);
const UPDATES_PER_S = 1_000;
const PRESS_EVERY_MS = 1_000;
const SYMBOL = 'ACME-USD';
const TRADE = '/assets/acme';
/** What the page subscribes to. */
const DEPTH = 50;
const ROOT = join(import.meta.dirname, '..');

const executable = findChromium();
if (executable === null)
  console.log('bench:console: skipped, no Chromium here (apt-get install chromium, or CHROMIUM_PATH)');
else await measure(executable);

async function measure(chromium: string): Promise<void> {
  const { firstLoad } = await buildConsole();
  const bare = mkdtempSync(join(tmpdir(), 'bare-page-'));
  await build({
    configFile: false,
    root: join(ROOT, 'bench', 'console', 'bare'),
    base: '/bare/',
    plugins: [react()],
    logLevel: 'error',
    build: { outDir: bare, emptyOutDir: true, target: 'es2024', modulePreload: { polyfill: false } },
  });
  const front = await startFront({ console: join(ROOT, 'web', 'dist'), bare, symbol: SYMBOL, depth: DEPTH });
  const settings = await ownSettings();
  const env = { ...settings.env, SERVICES: '', CONSOLE_ORIGIN: front.origin };
  const system = await startOwnSystem({ ...settings, env, hasDemo: true });
  const browser = await launchChromium(chromium);
  try {
    front.serve(system.origin);
    const context = await signedIn(browser, front.origin);
    context.setDefaultTimeout(WAIT_MS);
    const pages: Record<'console' | 'bare', PageFigures[]> = { console: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      pages.bare.push(await opened(context, `${front.origin}/bare/`, pressBare));
      pages.console.push(await opened(context, front.origin + TRADE, pressTicket));
    }
    const busy = await streamed(context, front.origin + TRADE, front);
    report(firstLoad, pages, busy);
  } finally {
    await browser.close();
    await system.stop();
    await front.stop();
    rmSync(bare, { recursive: true, force: true });
  }
}

async function signedIn(browser: Browser, origin: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, origin, '/markets');
  await page.close();
  await watchPages(context);
  return context;
}

/** A first load without any cache, then a press or two. */
async function opened(
  context: BrowserContext,
  url: string,
  press: (page: Page) => Promise<void>,
): Promise<PageFigures> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.goto(url);
  const loaded = await figuresOf(page);
  await press(page);
  const { inp_ms } = await figuresOf(page);
  await page.close();
  return { ...loaded, inp_ms };
}

async function pressBare(page: Page): Promise<void> {
  for (let presses = 0; presses < 3; presses++) await page.getByRole('button').click();
}

async function pressTicket(page: Page): Promise<void> {
  const ticket = page.getByRole('region', { name: 'Order ticket' });
  await ticket.getByLabel('Quantity').fill('3');
  for (const side of ['Sell', 'Buy', 'Sell']) await ticket.getByText(side, { exact: true }).first().click();
}

interface Busy {
  readonly told: number;
  readonly snapshots: number;
  readonly figures: PageFigures;
  readonly heap: { readonly before: number; readonly after: number };
  /** Whether the rows on the page are those of the book at the end. */
  readonly isSame: boolean;
}

async function streamed(
  context: BrowserContext,
  url: string,
  front: Awaited<ReturnType<typeof startFront>>,
): Promise<Busy> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(url);
  await page.getByRole('button', { name: '25.01', exact: true }).waitFor();
  await figuresOf(page);
  const [heap, snapshots, told] = [await heapOf(session), front.told.snapshots, front.told.updates];
  await seeAnew(page);
  front.setPace(UPDATES_PER_S);
  for (let passed = 0; passed < STREAM_MS; passed += PRESS_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, PRESS_EVERY_MS));
    await pressTicket(page);
  }
  front.setPace(0);
  const figures = await figuresOf(page);
  const isSame = JSON.stringify(await shownLevels(page)) === JSON.stringify(levelsOf(front.book, await rowsOf(page)));
  return {
    told: front.told.updates - told,
    snapshots: front.told.snapshots - snapshots,
    figures,
    heap: { before: heap, after: await heapOf(session) },
    isSame,
  };
}

/** Price and size of each row of the book that is shown, asks above bids. */
async function shownLevels(page: Page): Promise<(string | null)[][]> {
  const rows = await page.locator('.book table.levels tbody tr').all();
  return Promise.all(
    rows.map((row) => Promise.all([row.getByRole('button').textContent(), row.locator('td').nth(1).textContent()])),
  );
}

async function rowsOf(page: Page): Promise<number> {
  return page.locator('.book tr.bid').count();
}

function levelsOf(
  { bids, asks }: { bids: readonly (readonly [number, number])[]; asks: readonly (readonly [number, number])[] },
  rows: number,
): string[][] {
  const shown = (side: readonly (readonly [number, number])[]) =>
    side.slice(0, rows).map(([price, size]) => [price.toFixed(2), String(size)]);
  return [...shown(asks).reverse(), ...shown(bids)];
}

function report(firstLoad: number, pages: Readonly<Record<'console' | 'bare', PageFigures[]>>, busy: Busy): void {
  const of = (page: 'console' | 'bare', figure: 'lcp_ms' | 'interactive_ms' | 'inp_ms') =>
    median(pages[page].map((each) => each[figure]));
  const names = { lcp_ms: 'largest paint', interactive_ms: 'interactive', inp_ms: 'answer to a press' } as const;
  const ratios = Object.fromEntries(
    (Object.keys(names) as (keyof typeof names)[]).map((figure) => [
      figure,
      of('console', figure) / Math.max(of('bare', figure), 1),
    ]),
  );
  const frames = [...busy.figures.frames_ms].sort((a, b) => a - b);
  printReport({
    bench: 'console',
    ratio: ratios.lcp_ms ?? Number.NaN,
    table: [
      ...(Object.entries(names) as [keyof typeof names, string][]).map(([figure, name]) => ({
        of: name,
        'console ms': of('console', figure),
        'bare ms': of('bare', figure),
        ratio: ratios[figure] ?? Number.NaN,
      })),
      { of: 'busy book: frame at p99', 'console ms': percentile(frames, 99) },
      { of: 'busy book: longest task', 'console ms': Math.max(0, ...busy.figures.longTasks_ms) },
      { of: 'busy book: answer to a press', 'console ms': busy.figures.inp_ms },
    ],
    figures: {
      first_load_bytes: firstLoad,
      ratios,
      updates: busy.told,
      snapshots_again: busy.snapshots,
      long_tasks: busy.figures.longTasks_ms.length,
      frame_p99_ms: percentile(frames, 99),
      busy_inp_ms: busy.figures.inp_ms,
      heap_before_bytes: busy.heap.before,
      heap_after_bytes: busy.heap.after,
      shown_equals_book: busy.isSame,
    },
  });
  if (!busy.isSame) process.exitCode = 1;
}
