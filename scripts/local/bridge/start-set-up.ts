import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PATHS } from '../paths.ts';
import { isBridgeReady } from './mark.ts';
import type { BridgePlace } from './set-up-bridge.ts';

export interface BridgeSetUp {
  stop(): Promise<void>;
}

/** Has the demo's tenant of the bridge set up while the system serves, unless it is; `say` is told how it ends. What is cut short is gone on with by the next start. */
export function startBridgeSetUp(
  { origin, exchange, external }: BridgePlace,
  say: (text: string) => void,
): BridgeSetUp {
  if (isBridgeReady()) {
    say('the bridge is ready');
    return { stop: async () => undefined };
  }
  const child = spawn(
    process.execPath,
    [join(PATHS.root, 'scripts', 'local', 'bridge', 'set-up-process.ts'), origin, exchange, external],
    { cwd: PATHS.root, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  child.once('message', (outcome) =>
    say(
      outcome === 'ready' ? 'the bridge is ready' : `the bridge is not ready, the next start tries again: ${outcome}`,
    ),
  );
  const ended = once(child, 'exit');
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await ended;
    },
  };
}
