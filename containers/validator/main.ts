import { settingsOrExit } from '../process/settings-or-exit.ts';
import { log } from './log.ts';
import { readSettings } from './settings.ts';
import { startValidator } from './start-validator.ts';

/** A member of the committee as a process: until SIGTERM or SIGINT, or the end of the process that started it. */
const settings = settingsOrExit(readSettings);
const validator = await startValidator(settings);
log('info', 'listening', { host: settings.host, port: validator.port });

let isStopping = false;
const stop = async (why: string) => {
  if (isStopping) return;
  isStopping = true;
  await validator.stop();
  log('info', 'stopped', { why });
  process.exit(0);
};
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));
// Of a parent that has asked for a channel; it learns the port.
process.once('disconnect', () => stop('disconnect'));
process.send?.({ port: validator.port });
