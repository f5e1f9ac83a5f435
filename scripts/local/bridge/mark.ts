import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from '../paths.ts';

const MARK = join(PATHS.state, 'bridge-ready');
const STEP_MS = 100;

/** Whether the demo's tenant of the bridge in this state has all that it needs, so that a start need not look. */
export function isBridgeReady(): boolean {
  return existsSync(MARK);
}

/**
 * Notes it once the chains are on disk as they are now: after a crash they are never behind what the note says.
 *
 * @throws Error where they are not written in time
 */
export async function markBridgeReady(wait_ms: number): Promise<void> {
  const since = Date.now();
  const files = [PATHS.chains.devnet, PATHS.chains.ethereum];
  while (!files.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > since)) {
    if (Date.now() - since > wait_ms) throw new Error('the chains are not written to disk');
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  writeFileSync(MARK, '');
}
