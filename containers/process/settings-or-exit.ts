import { type Environment, SettingsError } from './parse-settings.ts';

/** The settings of this process. Where they are not complete it says so on standard error, and ends. */
export function settingsOrExit<T>(read: (environment: Environment) => T): T {
  try {
    return read(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
