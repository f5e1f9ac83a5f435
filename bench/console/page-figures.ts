import { join } from 'node:path';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

/** What a page has measured of itself since it was opened. */
export interface PageFigures {
  /** Largest contentful paint. */
  readonly lcp_ms: number;
  /** End of the last task of over 50 ms before a second without any; the end of loading where there was none. */
  readonly interactive_ms: number;
  /** The slowest answer to a press or key: the next paint after it. */
  readonly inp_ms: number;
  readonly longTasks_ms: readonly number[];
  /** Between one frame and the next, since `seeAnew`. */
  readonly frames_ms: readonly number[];
}

/** What `watch-page.js` keeps in the page. */
interface Seen {
  readonly lcp: number;
  readonly tasks: readonly { readonly start: number; readonly duration: number }[];
  readonly inputs: readonly number[];
  readonly frames: readonly number[];
}

const WATCH = join(import.meta.dirname, 'watch-page.js');
const QUIET_MS = 1_000;

export async function watchPages(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: WATCH });
}

/** From now on the page's figures are of what comes. */
export async function seeAnew(page: Page): Promise<void> {
  await page.evaluate('seeAnew()');
}

/** Waits for a second without long tasks. */
export async function figuresOf(page: Page): Promise<PageFigures> {
  await page.waitForFunction(`quietFor() > ${QUIET_MS}`, undefined, { polling: 100, timeout: 300_000 });
  const { seen, loaded } = await page.evaluate<{ seen: Seen; loaded: number }>('({ seen, loaded: loaded() })');
  const last = seen.tasks.at(-1);
  return {
    lcp_ms: seen.lcp,
    interactive_ms: Math.max(loaded, last === undefined ? 0 : last.start + last.duration),
    inp_ms: Math.max(0, ...seen.inputs),
    longTasks_ms: seen.tasks.map(({ duration }) => duration),
    frames_ms: seen.frames,
  };
}

/** Bytes of JavaScript objects that are in use after a collection. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
