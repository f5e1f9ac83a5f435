import type { SessionEnd } from '../../domain/console/session-term.ts';
import { browserSessionOf } from '../../durable-objects/browser-session/api.ts';
import { consoleUserOf } from '../../durable-objects/console-user/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { randomSecret } from '../identity/random-secret.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { describeBug } from '../log/describe-bug.ts';
import { askAgain } from '../objects/ask-again.ts';
import type { BoughtTokens } from './console-tokens.ts';

/** Begins a session of the console. @returns what the browser is to keep */
export async function beginBrowserSession(env: Env, { tokens, claims, factor }: BoughtTokens): Promise<string> {
  const token = randomSecret();
  const name = await sha256Hex(token);
  const { subject: userId, sessionId } = claims;
  await browserSessionOf(env, name).begin({ name, id: sessionId ?? name, userId, tokens, factor });
  const beyond = await askAgain(() => consoleUserOf(env, userId).addSession(name));
  await endAll(env, userId, { names: beyond, reason: 'signed_out' });
  return token;
}

/** Ends one session, and everything that it had opened. */
export async function endBrowserSession(env: Env, name: string, reason: SessionEnd): Promise<void> {
  const ended = await askAgain(() => browserSessionOf(env, name).end(reason));
  if (ended !== null) await askAgain(() => consoleUserOf(env, ended.userId).removeSession(name));
}

/** Ends all sessions of a person at the console. @returns whether all have ended; those that have not are there to be ended again */
export async function endBrowserSessionsOf(env: Env, userId: string, reason: SessionEnd): Promise<boolean> {
  return endAll(env, userId, { names: await askAgain(() => consoleUserOf(env, userId).listSessions()), reason });
}

/** Each leaves the list once it has ended, so that one that has not is found again. */
async function endAll(
  env: Env,
  userId: string,
  { names, reason }: { readonly names: readonly string[]; readonly reason: SessionEnd },
): Promise<boolean> {
  const ends = await Promise.allSettled(
    names.map(async (name) => {
      await askAgain(() => browserSessionOf(env, name).end(reason));
      await askAgain(() => consoleUserOf(env, userId).removeSession(name));
    }),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) log('error', 'a session of the console has not ended', describeBug(failed.reason));
  return failed === undefined;
}
