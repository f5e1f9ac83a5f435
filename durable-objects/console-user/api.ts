/** What the console keeps of one person, one object each, named by their id: preferences, and which sessions they have. */
export interface ConsoleUserApi {
  /** Adds a session. @returns names of those that are beyond what a person may have, the oldest; each stays listed until it is removed */
  addSession(name: string): Promise<readonly string[]>;
  removeSession(name: string): Promise<void>;
  listSessions(): Promise<readonly string[]>;
  readPreferences(): Promise<StoredPreferences | null>;
  /** Writes them where they are of this version still; else answers what there is. */
  writePreferences(text: string, version: number): Promise<WrittenPreferences>;
}

/** As JSON, which the caller has checked. */
export interface StoredPreferences {
  readonly text: string;
  readonly version: number;
}

export interface WrittenPreferences {
  readonly written: boolean;
  /** Of what is there now; 0 for nothing. */
  readonly version: number;
}

interface ConsoleUserEnv {
  readonly CONSOLE_USER: { getByName(name: string): unknown };
}

/** A fresh stub: after an exception a stub stays broken, so one is made for every call. */
export function consoleUserOf(env: ConsoleUserEnv, userId: string): ConsoleUserApi {
  return env.CONSOLE_USER.getByName(userId) as ConsoleUserApi;
}
