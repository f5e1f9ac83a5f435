import { runUntilStopped } from '../process/run-until-stopped.ts';
import { settingsOrExit } from '../process/settings-or-exit.ts';
import { log } from './log.ts';
import { readSettings } from './settings.ts';
import { startValidator } from './start-validator.ts';

/** A member of the committee as a process: until SIGTERM or SIGINT, or the end of the process that started it. */
const settings = settingsOrExit(readSettings);
runUntilStopped(await startValidator(settings), settings.host, log);
