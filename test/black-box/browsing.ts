import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page, WebSocketRoute } from 'playwright-core';

/** Two busy cores draw a page in seconds. */
const PAGE_WAIT_MS = 60_000;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * A page of a browser of its own.
 *
 * @param complaints gets what the browser keeps the page from, and what the page throws; empty when all is well
 */
export async function newPage(
  browser: Browser,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_WAIT_MS);
  page.on('console', (message) => {
    // The browser writes down each answer that is no success: a session that is not there yet, an order that would be refused, a sixth feed while one of a page that was left is counted still.
    const isAnswer = /^Failed to load resource|^WebSocket connection .*response code: 429/.test(message.text());
    if (message.type() === 'error' && !isAnswer) complaints.push(`${message.text()} ${page.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return page;
}

/** Another page of the same browser: it is signed in as that one is. */
export async function newTab(of: Page): Promise<Page> {
  const page = await of.context().newPage();
  page.setDefaultTimeout(PAGE_WAIT_MS);
  return page;
}

/** What axe finds on the page as it stands that is serious or critical. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Behind the policy of the page: the debugger's own world runs it.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 160)}`);
}

/** By how many pixels the page is wider than its window: whoever reads it on a phone would have to push it about. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Keeps a picture of the page where PICTURES_DIR names a folder, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES_DIR;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Whether what has the focus shows it: an outline of its own, or of the field around it. */
export async function focusIsSeen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    let at = document.activeElement;
    for (let depth = 0; at !== null && at !== document.body && depth < 3; depth++, at = at.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
      if (depth === 0 && !at.matches(':focus-visible')) return false;
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) return true;
      if (boxShadow !== 'none') return true;
    }
    return false;
  })()`);
}

/** More than any page has to be passed by Tab. */
const TABS_MAX = 120;

/**
 * Presses Tab until the element has the focus.
 *
 * @returns what was passed without showing that it had the focus; empty when all is well
 * @throws Error where Tab does not lead there
 */
export async function tabTo(page: Page, target: Locator): Promise<string[]> {
  const unseen: string[] = [];
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 120)');
    // Behind the last one the browser itself has the focus.
    if (at.startsWith('<body')) continue;
    if (!(await focusIsSeen(page))) unseen.push(at);
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return unseen;
  }
  throw new Error(`Tab does not lead to ${target}`);
}

/** The live data of a page, which can be cut, also for new connections, and healed. To be called before the page is opened. */
export async function cuttableFeed(page: Page): Promise<{ cut(): void; heal(): void }> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(/\/console\/feed$/, (socket) => {
    if (isCut) {
      void socket.close();
      return;
    }
    open.add(socket).add(socket.connectToServer());
  });
  return {
    cut() {
      isCut = true;
      for (const socket of open) void socket.close();
      open.clear();
    },
    heal() {
      isCut = false;
    },
  };
}
