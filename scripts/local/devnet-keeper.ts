/**
 * Keeps the devnet of a local start: a chain with the registry, in a process of its own that ends when its parent does, however that ends.
 *
 * Arguments: the port, 0 for a free one, and the file in which the chain is kept.
 */
import { devnetAccount, startDevnet } from '../contracts/devnet.ts';
import { CHAINS, deployRegistry } from '../contracts/registry-deployment.ts';
import type { DevnetPlace } from './devnet.ts';

const ADMIN_DELAY_S = 86_400;

const [port, state] = process.argv.slice(2);
const chain = await startDevnet({
  chainId: CHAINS.devnet,
  port: Number(port),
  ...(state === undefined ? {} : { state }),
});
const admin = devnetAccount(0);
const terms = { admin: admin.address, recorder: devnetAccount(1).address, adminDelay: ADMIN_DELAY_S };
const { address } = await deployRegistry(chain.url, admin, terms);
const place: DevnetPlace = { url: chain.url, registry: address };
process.send?.(place);

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  await chain.stop();
  process.exit(0);
};
process.on('disconnect', () => void stop());
process.on('SIGTERM', () => void stop());
