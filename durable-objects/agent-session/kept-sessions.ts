import { SESSION_MS_MAX, SESSIONS_MAX } from './api.ts';

export interface KeptSession {
  readonly id: string;
  /** Id of the key that it acts under; none of one from before it was kept. */
  readonly agent?: string;
  /** Unix milliseconds. */
  readonly begunAt: number;
  /** When it was used last, to the minute. */
  readonly usedAt: number;
}

/** A use that follows another within this time is not noted. */
const USE_NOTED_MS = 60_000;

/** The sessions of a user. Beyond SESSIONS_MAX the agent that has most of them loses the one that it used longest ago, so that whoever begins many ends none but their own. */
export class KeptSessions {
  #kept: KeptSession[];

  constructor(kept: readonly KeptSession[]) {
    this.#kept = [...kept];
  }

  get list(): readonly KeptSession[] {
    return this.#kept;
  }

  /** When the first of them ends by itself; null where there is none. */
  get nextEnd(): number | null {
    return this.#kept.length === 0 ? null : Math.min(...this.#kept.map(({ begunAt }) => begunAt)) + SESSION_MS_MAX;
  }

  begin(now: number, agent = ''): string {
    this.expire(now);
    const byUse = this.#kept.sort((a, b) => b.usedAt - a.usedAt);
    const id = crypto.randomUUID();
    this.#kept = [{ id, agent, begunAt: now, usedAt: now }, ...byUse];
    while (this.#kept.length > SESSIONS_MAX) this.#endOneOfMost();
    return id;
  }

  #endOneOfMost(): void {
    const counts = new Map<string, number>();
    for (const { agent = '' } of this.#kept) counts.set(agent, (counts.get(agent) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const longestAgo = this.#kept.findLast(({ agent = '' }) => counts.get(agent) === most);
    this.#kept = this.#kept.filter((kept) => kept !== longestAgo);
  }

  /** `noted` where it should be stored that it was used. */
  use(id: string, now: number): 'none' | 'used' | 'noted' {
    this.expire(now);
    const session = this.#kept.find((kept) => kept.id === id);
    if (session === undefined) return 'none';
    if (now - session.usedAt < USE_NOTED_MS) return 'used';
    this.#kept = [{ ...session, usedAt: now }, ...this.#kept.filter((kept) => kept !== session)];
    return 'noted';
  }

  end(id: string, now: number): boolean {
    this.expire(now);
    const before = this.#kept.length;
    this.#kept = this.#kept.filter((kept) => kept.id !== id);
    return this.#kept.length < before;
  }

  expire(now: number): void {
    this.#kept = this.#kept.filter(({ begunAt }) => now < begunAt + SESSION_MS_MAX);
  }
}
