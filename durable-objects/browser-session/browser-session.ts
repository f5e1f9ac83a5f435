import { DurableObject } from 'cloudflare:workers';
import { openSecret, sealSecret } from '../../data/identity/sealed-secret.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import {
  CONSOLE_ENDED_KEPT_MS,
  CONSOLE_SEEN_MS,
  endedByTime,
  isToBeRenewed,
  type SessionEnd,
  termOf,
} from '../../domain/console/session-term.ts';
import { consoleUserOf } from '../console-user/api.ts';
import { log } from '../log/log.ts';
import type {
  BrowserSessionApi,
  ConsoleDoor,
  HeldTokens,
  NewBrowserSession,
  RenewalFrom,
  SessionUse,
  SessionView,
  UsedSession,
} from './api.ts';

const SESSION = 'session';

interface StoredSession {
  readonly name: string;
  readonly id: string;
  readonly userId: string;
  readonly factor: NewBrowserSession['factor'];
  readonly createdAt: number;
  readonly usedAt: number;
  /** Sealed tokens; null once they have ended at the provider. */
  readonly sealed: string | null;
  readonly ended: { readonly reason: SessionEnd; readonly at: number } | null;
  /** Other tokens have been asked for, and what came of it is not known yet. */
  readonly isRenewing: boolean;
}

/** Holds one session of the console. What is written down first is always what ends it: a crash leaves it ended, and its tokens are ended later. */
export class BrowserSession extends DurableObject<Env> implements BrowserSessionApi {
  #session: StoredSession | null = null;
  #tokens: HeldTokens | null = null;
  /** The last use, which may be a minute younger than what is written down. */
  #usedAt = 0;
  #renewal: Promise<UsedSession | null> | null = null;
  /** The last renewal threw. */
  #hasFailed = false;

  get #door(): ConsoleDoor {
    return this.ctx.exports.ConsoleService as unknown as ConsoleDoor;
  }

  async begin({ name, id, userId, tokens, factor }: NewBrowserSession): Promise<void> {
    if ((await this.#loaded()) !== null) throw new Error('a session of the console begins once');
    const now = Date.now();
    const sealed = await this.#seal(name, tokens);
    await this.#store({
      name,
      id,
      userId,
      factor,
      createdAt: now,
      usedAt: now,
      sealed,
      ended: null,
      isRenewing: false,
    });
    this.#tokens = tokens;
    this.#usedAt = now;
  }

  async use({ refused, byPerson, ...from }: SessionUse): Promise<UsedSession> {
    const session = await this.#loaded();
    if (session === null) return { type: 'ended', reason: 'none' };
    if (session.ended !== null) return { type: 'ended', reason: session.ended.reason };
    const now = Date.now();
    const over = endedByTime({ createdAt: session.createdAt, usedAt: this.#usedAt }, now);
    if (over !== null) return this.#endedBy(over);
    if (byPerson) await this.#seen(session, now);
    const tokens = await this.#opened(session);
    const isRefused = refused !== null && refused === tokens.accessToken;
    if (isRefused || isToBeRenewed(tokens, now)) {
      const failed = await this.#renewedOnce(tokens, { ...from, isRefused: isRefused && tokens.expiresAt > now });
      if (failed !== null) return failed;
    }
    const current = await this.#loaded();
    if (current === null || current.ended !== null) return { type: 'ended', reason: current?.ended?.reason ?? 'none' };
    return { type: 'open', accessToken: (await this.#opened(current)).accessToken, session: this.#view(current) };
  }

  async end(reason: SessionEnd): Promise<{ readonly userId: string } | null> {
    const session = await this.#loaded();
    if (session === null || session.ended !== null) return null;
    await this.#endedBy(reason);
    return { userId: session.userId };
  }

  override async alarm(): Promise<void> {
    const session = await this.#loaded();
    if (session === null) return;
    const now = Date.now();
    if (session.ended === null) {
      const over = endedByTime({ createdAt: session.createdAt, usedAt: this.#usedAt }, now);
      if (over === null) await this.ctx.storage.setAlarm(this.#idleUntil(session));
      else await this.#endedBy(over);
      return;
    }
    if (session.sealed !== null) await this.#endTokens(session);
    else if (now - session.ended.at >= CONSOLE_ENDED_KEPT_MS) {
      await this.ctx.storage.deleteAll();
      this.#session = null;
    }
  }

  /** The requests that come together wait for one renewal. */
  #renewedOnce(tokens: HeldTokens, from: RenewalFrom) {
    this.#renewal ??= this.#renew(tokens, from).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /** @returns null where the session goes on */
  async #renew(tokens: HeldTokens, from: RenewalFrom): Promise<UsedSession | null> {
    const isGood = () => !from.isRefused && tokens.expiresAt > Date.now();
    const isSpent = this.#session?.isRenewing === true ? await this.#isSpent(tokens) : false;
    if (isSpent === null) return isGood() ? null : { type: 'unavailable' };
    const before = this.#session;
    if (before?.ended) return { type: 'ended', reason: before.ended.reason };
    // Shown twice, a refresh token would look stolen.
    if (tokens.refreshToken === null || before === null || isSpent) return isGood() ? null : this.#endedBy('revoked');
    await this.#store({ ...before, usedAt: this.#usedAt, isRenewing: true });
    const renewal = await this.#door.renew(tokens, from).catch((error: unknown) => {
      log('warn', 'tokens of the console were not renewed', { error: String(error) });
      this.#hasFailed = true;
      return null;
    });
    if (renewal === null) return isGood() ? null : { type: 'unavailable' };
    // Signed out meanwhile: what has just come ends as well.
    const session = this.#session;
    if (session === null || session.ended !== null) {
      if (renewal.type === 'tokens' && session !== null) {
        this.#tokens = renewal.tokens;
        await this.#store({ ...session, sealed: await this.#seal(session.name, renewal.tokens) });
      }
      if (session?.ended) await this.#endTokens(this.#session ?? session);
      return { type: 'ended', reason: session?.ended?.reason ?? 'none' };
    }
    switch (renewal.type) {
      case 'tokens':
        this.#tokens = renewal.tokens;
        await this.#renewed(session, { sealed: await this.#seal(session.name, renewal.tokens) });
        return null;
      case 'refused':
        return this.#endedBy('revoked');
      case 'unavailable':
        await this.#renewed(session, {});
        return isGood() ? null : { type: 'unavailable' };
    }
  }

  /**
   * Whether a renewal whose answer never came has shown the refresh token; null while that cannot be asked. An object that was lost while it asked does
   * not ask: what it had sent may be under way still.
   */
  #isSpent(tokens: HeldTokens): Promise<boolean | null> {
    return this.#hasFailed ? this.#door.isSpent(tokens).catch(() => null) : Promise.resolve(true);
  }

  #renewed(session: StoredSession, change: Partial<StoredSession>): Promise<void> {
    return this.#store({ ...session, usedAt: this.#usedAt, isRenewing: false, ...change });
  }

  async #endedBy(reason: SessionEnd): Promise<UsedSession> {
    const session = this.#session;
    if (session === null) return { type: 'ended', reason: 'none' };
    if (session.ended === null) {
      await this.#store({ ...session, usedAt: this.#usedAt, ended: { reason, at: Date.now() } });
      await this.#endTokens(this.#session ?? session);
    }
    return { type: 'ended', reason: this.#session?.ended?.reason ?? reason };
  }

  /** Ends what the session held; tried again each minute until it is done. */
  async #endTokens(session: StoredSession): Promise<void> {
    if (session.sealed === null || session.ended === null) return;
    const { userId, ended } = session;
    try {
      const tokens = await this.#opened(session);
      await this.#door.endTokens({ tokens, userId, reason: ended.reason });
      await consoleUserOf(this.env, userId).removeSession(session.name);
      // Those of a renewal that has come meanwhile end by themselves.
      if (this.#session?.sealed !== session.sealed) return;
      this.#tokens = null;
      await this.#store({ ...session, sealed: null });
    } catch (error) {
      log('warn', 'tokens of the console have not ended yet', { error: String(error) });
      await this.ctx.storage.setAlarm(Date.now() + MINUTE_MS);
    }
  }

  async #seen(session: StoredSession, now: number): Promise<void> {
    this.#usedAt = now;
    if (now - session.usedAt >= CONSOLE_SEEN_MS) await this.#store({ ...session, usedAt: now });
  }

  async #loaded(): Promise<StoredSession | null> {
    if (this.#session !== null) return this.#session;
    const stored = await this.ctx.storage.get<StoredSession>(SESSION);
    // Another call may have read it meanwhile.
    if (this.#session === null && stored !== undefined) {
      this.#session = stored;
      this.#usedAt = stored.usedAt;
    }
    return this.#session;
  }

  async #store(session: StoredSession): Promise<void> {
    this.#session = session;
    const { ended, sealed } = session;
    const next =
      ended === null
        ? this.#idleUntil(session)
        : sealed === null
          ? ended.at + CONSOLE_ENDED_KEPT_MS
          : ended.at + MINUTE_MS;
    await Promise.all([this.ctx.storage.put(SESSION, session), this.ctx.storage.setAlarm(next)]);
  }

  #idleUntil({ createdAt, usedAt }: StoredSession): number {
    return termOf({ createdAt, usedAt: Math.max(usedAt, this.#usedAt) }).idleUntil;
  }

  #view({ id, userId, createdAt, factor }: StoredSession): SessionView {
    return { id, userId, createdAt, factor, ...termOf({ createdAt, usedAt: this.#usedAt }) };
  }

  #seal(name: string, tokens: HeldTokens): Promise<string> {
    return sealSecret(JSON.stringify(tokens), this.env.IAM_KEY_ENCRYPTION_KEY, contextOf(name));
  }

  async #opened({ name, sealed }: StoredSession): Promise<HeldTokens> {
    if (sealed === null) throw new Error('the tokens of the session have ended');
    this.#tokens ??= JSON.parse(
      await openSecret(sealed, this.env.IAM_KEY_ENCRYPTION_KEY, contextOf(name)),
    ) as HeldTokens;
    return this.#tokens;
  }
}

function contextOf(name: string): string {
  return `console session ${name}`;
}
