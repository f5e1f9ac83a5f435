import { settingsOrExit } from '../process/settings-or-exit.ts';
import { log } from './log.ts';
import { readSettings } from './settings.ts';
import { startGateway } from './start-gateway.ts';

/** The gateway as a process: until SIGTERM or SIGINT, which drain it, or the end of the process that started it. */
const settings = settingsOrExit(readSettings);
const gateway = await startGateway(settings);
log('info', 'listening', {
  host: settings.host,
  port: gateway.port,
  tls: settings.tls !== null,
  exchange: settings.exchangeUrl.origin,
});

let draining = false;
const drain = async (why: string) => {
  if (draining) return;
  draining = true;
  log('info', 'draining', { why });
  await gateway.drain();
  log('info', 'stopped');
  process.exit(0);
};
process.on('SIGTERM', () => drain('SIGTERM'));
process.on('SIGINT', () => drain('SIGINT'));
// Of a parent that has asked for a channel; it learns the port.
process.once('disconnect', () => drain('disconnect'));
process.send?.({ port: gateway.port });
