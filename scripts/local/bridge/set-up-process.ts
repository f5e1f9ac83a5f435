/**
 * Sets up the demo's tenant of the bridge beside a start that serves already, in a process of its own that ends when its parent does. Says `ready`, or why it is not.
 *
 * Arguments: base address of the system, RPC of the devnet, RPC of the chain that stands for Ethereum.
 */
import { markBridgeReady } from './mark.ts';
import { setUpBridge } from './set-up-bridge.ts';

/** The Worker may be started again meanwhile. */
const TRIES = 5;
const REST_MS = 2_000;
/** Chains are written every five seconds. */
const WRITTEN_MS_MAX = 20_000;

process.on('disconnect', () => process.exit(1));

const [origin = '', exchange = '', external = ''] = process.argv.slice(2);
for (let tries = 1; ; tries++) {
  try {
    await setUpBridge({ origin, exchange, external });
    break;
  } catch (error) {
    if (tries < TRIES) {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      continue;
    }
    await say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
await say('ready');
await markBridgeReady(WRITTEN_MS_MAX);
process.exit(0);

function say(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(text, () => resolve());
  });
}
