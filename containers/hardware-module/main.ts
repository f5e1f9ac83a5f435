import { runUntilStopped } from '../process/run-until-stopped.ts';
import { settingsOrExit } from '../process/settings-or-exit.ts';
import { log } from './log.ts';
import { readSettings } from './settings.ts';
import { startModule } from './start-module.ts';

/** A hardware module that signs large transfers beside the five signers, as a process: until SIGTERM or SIGINT, or the end of the process that started it. */
const settings = settingsOrExit(readSettings);
runUntilStopped(await startModule(settings), settings.host, log);
