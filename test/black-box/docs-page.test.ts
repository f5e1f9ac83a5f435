import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from './chromium.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

/** Two busy cores draw such a page in six seconds. */
const PAGE_WAIT_MS = 90_000;
const PROFILES = ['book', 'exchange', 'iam', 'events-service', 'partner', 'agent'];

const executable = findChromium();
// Written past vitest, which keeps the console of passing tests to itself.
if (executable === null)
  process.stderr.write('docs-page: skipped, no Chromium here (apt-get install chromium, or CHROMIUM_PATH)\n');

interface OpenApiDocument {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>;
}

/** A reference page and what its browser did for it. */
interface OpenPage {
  readonly page: Page;
  readonly document: OpenApiDocument;
  /** Requests that went anywhere else than to the system, and what the page complained of; both empty when all is well. */
  readonly strayRequests: string[];
  readonly errors: string[];
}

describe.skipIf(executable === null)('the reference page in Chromium', () => {
  let system: LocalSystem;
  let browser: Browser;

  beforeAll(async () => {
    system = await localSystem();
    await system.start();
    browser = await launchChromium(executable ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await system?.stop('SIGTERM');
  });

  async function open(profile: string): Promise<OpenPage> {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    page.setDefaultTimeout(PAGE_WAIT_MS);
    const strayRequests: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== system.origin && protocol !== 'data:' && protocol !== 'blob:') strayRequests.push(request.url());
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${system.origin}/${profile}/docs`);
    const document = (await (await fetch(`${system.origin}/${profile}/openapi.json`)).json()) as OpenApiDocument;
    await page.getByRole('heading', { level: 1, name: document.info.title }).waitFor();
    return { page, document, strayRequests, errors };
  }

  test.each(PROFILES)(
    'of %s shows its title and every operation, and asks nothing of another host',
    async (profile) => {
      const { page, document, strayRequests, errors } = await open(profile);
      expect(await page.title()).toBe(document.info.title);
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
      expect(operations.length).toBeGreaterThan(2);
      const sidebar = page.getByRole('complementary', { name: `Sidebar for ${document.info.title}` });
      const closedGroup = sidebar.getByRole('button', { name: /^Open Group/ });
      while ((await closedGroup.count()) > 0) await closedGroup.first().click();
      for (const { summary = 'an operation without a summary' } of operations) {
        // Groups unfold a moment after the click; one that stays closed is named by the error.
        await sidebar.getByText(summary, { exact: true }).first().waitFor({ state: 'visible' });
      }
      expect(strayRequests).toEqual([]);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  test('tries an operation on the system that serves it', async () => {
    const { page, strayRequests, errors } = await open('book');
    await page
      .getByRole('button', { name: /^Test Request/ })
      .first()
      .click();
    const client = page.getByRole('dialog');
    const answered = page.waitForResponse((response) => response.url().startsWith(`${system.origin}/book/v1/markets`));
    await client.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(200);
    await client.getByText('ACME-USD').first().waitFor();
    expect(strayRequests).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });
});
