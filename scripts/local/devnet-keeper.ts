/**
 * Keeps the chains of a local start, the devnet with the registry and one that stands for Ethereum, in a process of its own that ends when its parent does, however that ends.
 *
 * Arguments: the port of either, 0 for a free one, and the files in which they are kept: devnet, file, Ethereum, file. Without the second pair there is no second chain.
 */
import { type Devnet, devnetAccount, startDevnet } from '../contracts/devnet.ts';
import { CHAINS, deployRegistry } from '../contracts/registry-deployment.ts';
import type { DevnetPlace } from './devnet.ts';

const ADMIN_DELAY_S = 86_400;
const ETHEREUM_CHAIN_ID = 31_337;

const [port, state, ethereumPort, ethereumState] = process.argv.slice(2);
const starting = ethereumPort === undefined ? null : startEthereum();
const chain = await startDevnet({
  chainId: CHAINS.devnet,
  port: Number(port),
  ...(state === undefined ? {} : { state }),
});
const admin = devnetAccount(0);
const terms = { admin: admin.address, recorder: devnetAccount(1).address, adminDelay: ADMIN_DELAY_S };
const { address } = await deployRegistry(chain.url, admin, terms);
const ethereum = await starting;
const place: DevnetPlace = { url: chain.url, registry: address, ethereum: ethereum?.url ?? null };
process.send?.(place);

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([chain.stop(), ethereum?.stop()]);
  process.exit(0);
};
process.on('disconnect', () => void stop());
process.on('SIGTERM', () => void stop());

/** Without it the registry works all the same. */
async function startEthereum(): Promise<Devnet | null> {
  try {
    return await startDevnet({
      chainId: ETHEREUM_CHAIN_ID,
      port: Number(ethereumPort),
      ...(ethereumState === undefined ? {} : { state: ethereumState }),
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return null;
  }
}
