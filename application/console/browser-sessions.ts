import type { SessionEnd } from '../../domain/console/session-term.ts';
import { browserSessionOf } from '../../durable-objects/browser-session/api.ts';
import { consoleUserOf } from '../../durable-objects/console-user/api.ts';
import { randomSecret } from '../identity/random-secret.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { askAgain } from '../objects/ask-again.ts';
import type { BoughtTokens } from './console-tokens.ts';

/** Begins a session of the console. @returns what the browser is to keep */
export async function beginBrowserSession(env: Env, { tokens, claims, factor }: BoughtTokens): Promise<string> {
  const token = randomSecret();
  const name = await sha256Hex(token);
  const { subject: userId, sessionId } = claims;
  await browserSessionOf(env, name).begin({ name, id: sessionId ?? name, userId, tokens, factor });
  const beyond = await askAgain(() => consoleUserOf(env, userId).addSession(name));
  await endAll(env, beyond, 'signed_out');
  return token;
}

/** Ends one session, and everything that it had opened. */
export async function endBrowserSession(env: Env, name: string, reason: SessionEnd): Promise<void> {
  const ended = await askAgain(() => browserSessionOf(env, name).end(reason));
  if (ended !== null) await askAgain(() => consoleUserOf(env, ended.userId).removeSession(name));
}

/** Ends all sessions of a person at the console. */
export async function endBrowserSessionsOf(env: Env, userId: string): Promise<void> {
  await endAll(env, await askAgain(() => consoleUserOf(env, userId).takeSessions()), 'signed_out');
}

async function endAll(env: Env, names: readonly string[], reason: SessionEnd): Promise<void> {
  await Promise.all(names.map((name) => askAgain(() => browserSessionOf(env, name).end(reason))));
}
