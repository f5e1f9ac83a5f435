import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppContext } from './app-env.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** As `sealSecret` writes it: the id of its key stands before a dot. */
const SEALED = /^[A-Za-z0-9_.-]{1,3000}$/;

/** What a browser keeps that is signed in, and one whose sign-in is under way. */
type CookieName = 'session' | 'sign-in';

/**
 * Cookies of the console: of its host alone (`__Host-`), and no script reads them. That of a session is sent by the console's own pages alone. That of a
 * sign-in is sent when the provider, which may be another site, sends the browser back (`Lax`), and is good for nothing else. A local start speaks plain
 * HTTP, where the prefix does not hold.
 */
function named(c: AppContext, name: CookieName) {
  const secure = c.env.CONSOLE_ORIGIN.startsWith('https:');
  const options = { path: '/', httpOnly: true, secure, sameSite: name === 'session' ? 'Strict' : 'Lax' } as const;
  const own = name === 'session' ? 'console' : 'console-sign-in';
  return { name: `${secure ? '__Host-' : ''}${own}`, options };
}

export function consoleCookie(c: AppContext, name: CookieName): string | undefined {
  const value = getCookie(c, named(c, name).name);
  return value !== undefined && (name === 'session' ? TOKEN : SEALED).test(value) ? value : undefined;
}

/** It ends with the browser; what it stands for ends at its time. */
export function giveConsoleCookie(c: AppContext, name: CookieName, value: string): void {
  const cookie = named(c, name);
  setCookie(c, cookie.name, value, cookie.options);
}

export function takeConsoleCookie(c: AppContext, name: CookieName): void {
  const cookie = named(c, name);
  deleteCookie(c, cookie.name, cookie.options);
}
