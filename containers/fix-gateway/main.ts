import { settingsOrExit } from '../process/settings-or-exit.ts';
import { log } from './log.ts';
import { readSettings } from './settings.ts';
import { startGateway } from './start-gateway.ts';
import { exchangeBackend } from './transport/exchange-backend.ts';

/** The gateway as a process: until SIGTERM or SIGINT, or the end of the process that started it, which drain it. */
const settings = settingsOrExit(readSettings);
const gateway = await startGateway(settings, exchangeBackend(settings));
const { port, healthPort } = gateway;
log('info', 'listening', {
  host: settings.host,
  port,
  healthPort,
  tls: settings.tls !== null,
  exchange: settings.exchangeUrl.href,
});

let draining = false;
async function drain(cause: string): Promise<void> {
  if (draining) return;
  draining = true;
  log('info', 'draining', { cause });
  await gateway.drain();
  log('info', 'stopped');
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => drain(signal));
if (process.send !== undefined) {
  process.send({ port, healthPort });
  process.on('disconnect', () => drain('the starting process has ended'));
}
