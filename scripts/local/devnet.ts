import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { anvilPath } from '../contracts/devnet.ts';
import { statedRpcUrls } from './chains-config.ts';
import { PATHS } from './paths.ts';
import { isPortFree, portOf } from './port.ts';

const DEVNET_PORT = 8_545;
const ETHEREUM_PORT = 8_546;

export interface DevnetPlace {
  readonly url: string;
  /** Address of the registry. */
  readonly registry: string;
  /** RPC of the chain that stands for Ethereum; null where the start has none of its own. */
  readonly ethereum: string | null;
}

/** The chains beside the Worker. */
export interface LocalDevnet extends DevnetPlace {
  stop(): Promise<void>;
}

/**
 * Starts the devnet on DEVNET_PORT and a chain that stands for Ethereum on ETHEREUM_PORT, 0 for free ones, and where none is named on 8545 and 8546 or, if those are in use, free ones; as they were when
 * they were stopped, and deploys the registry where it is not there. Null on a machine for which there is no anvil: then nothing is recorded on chain. Where REGISTRY_RPC_URL and REGISTRY_ADDRESS name a
 * registry, that one is written to, and no chain is started. Nor is the second where BRIDGE_RPC_URLS names one of the two.
 *
 * @throws Error when a port that was named is taken, or the devnet does not start
 */
export async function startLocalDevnet(): Promise<LocalDevnet | null> {
  const { REGISTRY_RPC_URL: url, REGISTRY_ADDRESS: registry } = process.env;
  if (url !== undefined && registry !== undefined)
    return { url, registry, ethereum: null, stop: async () => undefined };
  if (anvilPath() === null) return null;
  const stated = statedRpcUrls();
  const isOther = 'ethereum' in stated || 'exchange' in stated;
  const child = spawn(
    process.execPath,
    [
      join(PATHS.root, 'scripts', 'local', 'devnet-keeper.ts'),
      ...(await chainArguments('DEVNET_PORT', DEVNET_PORT, PATHS.chains.devnet)),
      ...(isOther ? [] : await chainArguments('ETHEREUM_PORT', ETHEREUM_PORT, PATHS.chains.ethereum)),
    ],
    {
      cwd: PATHS.root,
      // The keeper ends when this channel does, so no chain outlives a start that was killed.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const ended = once(child, 'exit');
  const said = once(child, 'message') as Promise<[DevnetPlace]>;
  const first = await Promise.race([said, ended.then(() => null)]);
  if (first === null) throw new Error('the devnet ended while starting');
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await ended;
  };
  return { ...first[0], stop };
}

async function chainArguments(setting: string, usual: number, file: string): Promise<string[]> {
  const isNamed = process.env[setting] !== undefined;
  const port = isNamed || (await isPortFree(usual)) ? await portOf(setting, usual) : 0;
  return [String(port), file];
}
