import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { randomSecret } from '../../../application/identity/random-secret.ts';
import type { AppContext } from '../../middleware/app-env.ts';

const VALUE = /^[A-Za-z0-9_-]{43}$/;

/** What a browser that is signed in keeps, what one that is not keeps for its forms, and what one keeps whose person signs up. */
type CookieName = 'session' | 'form' | 'sign-up';

/**
 * Cookies of the sign-in pages: of this host alone (`__Host-`), no script reads them, and other sites send them with a link alone, never with a
 * form. A local start speaks plain HTTP, where the prefix does not hold: there they have no prefix.
 */
function named(c: AppContext, name: CookieName) {
  const secure = c.env.IAM_ISSUER.startsWith('https:');
  const options = { path: '/', httpOnly: true, secure, sameSite: 'Lax' } as const;
  return { name: `${secure ? '__Host-' : ''}exchange-${name}`, options };
}

export function cookieOf(c: AppContext, name: CookieName): string | undefined {
  const value = getCookie(c, named(c, name).name);
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** It ends with the browser; what it stands for ends at its time. */
export function giveCookie(c: AppContext, name: CookieName, value: string): void {
  const cookie = named(c, name);
  setCookie(c, cookie.name, value, cookie.options);
}

export function takeCookie(c: AppContext, name: CookieName): void {
  const cookie = named(c, name);
  deleteCookie(c, cookie.name, cookie.options);
}

/** What forms of a browser that is not signed in belong to; made where there is none. */
export function formHolderOf(c: AppContext): string {
  const known = cookieOf(c, 'form');
  if (known !== undefined) return known;
  const made = randomSecret();
  giveCookie(c, 'form', made);
  return made;
}
