import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

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
    // The browser writes down each answer that is no success: a session that is not there yet, an order that would be refused.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) complaints.push(`${message.text()} ${page.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
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
