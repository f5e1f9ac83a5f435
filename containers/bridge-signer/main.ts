import { placedEyes } from '../../protocol/bridge/placed-eyes.ts';
import { runUntilStopped } from '../process/run-until-stopped.ts';
import { settingsOrExit } from '../process/settings-or-exit.ts';
import { log } from './log.ts';
import { readPlaces, readSettings } from './settings.ts';
import { startSigner } from './start-signer.ts';

/** One of the five signers of some organizations, as a process: until SIGTERM or SIGINT, or the end of the process that started it. */
const { settings, places } = settingsOrExit((environment) => {
  const read = readSettings(environment);
  return { settings: read, places: read.places === null ? null : readPlaces(read.places) };
});
runUntilStopped(await startSigner(settings, placedEyes(places)), settings.host, log);
