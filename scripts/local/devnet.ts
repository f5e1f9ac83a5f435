import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { anvilPath } from '../contracts/devnet.ts';
import { PATHS } from './paths.ts';
import { isPortFree, portOf } from './port.ts';

const DEVNET_PORT = 8_545;

export interface DevnetPlace {
  readonly url: string;
  /** Address of the registry. */
  readonly registry: string;
}

/** The chain beside the Worker. */
export interface LocalDevnet extends DevnetPlace {
  stop(): Promise<void>;
}

/**
 * Starts the devnet on DEVNET_PORT, 0 for a free one, and where none is named on 8545 or, if that is in use, a free one; as it was when it was stopped, and deploys the registry where it is not there. Null on a machine for
 * which there is no anvil: then nothing is recorded on chain. Where REGISTRY_RPC_URL and REGISTRY_ADDRESS name a registry, that one is written to, and no chain is started.
 *
 * @throws Error when the port that was named is taken, or the chain does not start
 */
export async function startLocalDevnet(): Promise<LocalDevnet | null> {
  const { REGISTRY_RPC_URL: url, REGISTRY_ADDRESS: registry } = process.env;
  if (url !== undefined && registry !== undefined) return { url, registry, stop: async () => undefined };
  if (anvilPath() === null) return null;
  const isNamed = process.env.DEVNET_PORT !== undefined;
  const port = isNamed || (await isPortFree(DEVNET_PORT)) ? await portOf('DEVNET_PORT', DEVNET_PORT) : 0;
  const keeper = join(PATHS.root, 'scripts', 'local', 'devnet-keeper.ts');
  const child = spawn(process.execPath, [keeper, String(port), join(PATHS.state, 'devnet.json')], {
    cwd: PATHS.root,
    // The keeper ends when this channel does, so no chain outlives a start that was killed.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
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
