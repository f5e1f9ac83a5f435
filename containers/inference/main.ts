import { settingsOrExit } from '../process/settings-or-exit.ts';
import { log } from './log.ts';
import { readSettings } from './settings.ts';
import { startServer } from './start-server.ts';

/** The inference service as a process: until SIGTERM or SIGINT, or the end of the process that started it, which drain it. */
const settings = settingsOrExit(readSettings);
const server = await startServer(settings);
const { port } = server;
log('info', 'listening', { host: settings.host, port, workers: settings.workers, engine: settings.models.engine });

let draining = false;
async function drain(cause: string): Promise<void> {
  if (draining) return;
  draining = true;
  log('info', 'draining', { cause });
  await server.drain();
  log('info', 'stopped');
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => drain(signal));
// Of a parent that has asked for a channel; it learns the port.
process.once('disconnect', () => drain('the starting process has ended'));
try {
  await server.ready;
  log('info', 'ready');
  process.send?.({ port });
} catch (error) {
  log('error', 'not_ready', { error: error instanceof Error ? error.message : String(error) });
  await server.drain();
  process.exit(1);
}
