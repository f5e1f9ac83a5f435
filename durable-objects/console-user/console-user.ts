import { DurableObject } from 'cloudflare:workers';
import { CONSOLE_SESSION_MS_MAX, CONSOLE_SESSIONS_MAX } from '../../domain/console/session-term.ts';
import type { ConsoleUserApi, StoredPreferences, WrittenPreferences } from './api.ts';

const SESSIONS = 'sessions';
const PREFERENCES = 'preferences';
/** Those beyond what a person may have stay until they have ended, so that ending them can be repeated. */
const LISTED_MAX = 5 * CONSOLE_SESSIONS_MAX;

interface ListedSession {
  readonly name: string;
  readonly begunAt: number;
}

/** Keeps what the console knows of a person from one session to the next. A list of sessions and one text: both are bounded. */
export class ConsoleUser extends DurableObject<Env> implements ConsoleUserApi {
  async addSession(name: string): Promise<readonly string[]> {
    const listed = [{ name, begunAt: Date.now() }, ...(await this.#sessions()).filter((one) => one.name !== name)];
    await this.ctx.storage.put(SESSIONS, listed.slice(0, LISTED_MAX));
    return listed.slice(CONSOLE_SESSIONS_MAX).map((one) => one.name);
  }

  async removeSession(name: string): Promise<void> {
    await this.#keep((await this.#sessions()).filter((one) => one.name !== name));
  }

  async listSessions(): Promise<readonly string[]> {
    return (await this.#sessions()).map(({ name }) => name);
  }

  async readPreferences(): Promise<StoredPreferences | null> {
    return (await this.ctx.storage.get<StoredPreferences>(PREFERENCES)) ?? null;
  }

  async writePreferences(text: string, version: number): Promise<WrittenPreferences> {
    const current = (await this.readPreferences())?.version ?? 0;
    if (current !== version) return { written: false, version: current };
    await this.ctx.storage.put(PREFERENCES, { text, version: current + 1 } satisfies StoredPreferences);
    return { written: true, version: current + 1 };
  }

  /** Newest first, without those that time has ended. */
  async #sessions(): Promise<readonly ListedSession[]> {
    const listed = (await this.ctx.storage.get<readonly ListedSession[]>(SESSIONS)) ?? [];
    const now = Date.now();
    return listed.filter(({ begunAt }) => now - begunAt < CONSOLE_SESSION_MS_MAX);
  }

  async #keep(sessions: readonly ListedSession[]): Promise<void> {
    if (sessions.length === 0) await this.ctx.storage.delete(SESSIONS);
    else await this.ctx.storage.put(SESSIONS, sessions);
  }
}
