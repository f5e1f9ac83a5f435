import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface SpawnedServer {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts a server that sends its port to its parent, as a process of its own. Its log is dropped. */
export async function spawnServer(file: string, env: Readonly<Record<string, string>> = {}): Promise<SpawnedServer> {
  const child: ChildProcess = spawn(process.execPath, [file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    address: `127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
