import { formTargetOf } from '../../../domain/identity/redirect-uri.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { documentOf, errorPage, type Page } from './pages.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { STYLE_SHEET } from './style.ts';
import type { Texts } from './texts.ts';
import { languageOf } from './texts.ts';

export type PageStatus = 200 | 400 | 401 | 403 | 408 | 413 | 415 | 429 | 503;

/**
 * Answers a page: nothing runs in it but our script of passkeys, by its hash, nobody frames it, its forms lead back here and, for what follows upon them, to the place where the client
 * is answered. Its own origin is told of itself alone, so that a form's Origin can be seen.
 *
 * @param redirectUri of the request, where it has one
 */
export async function answerPage(
  c: AppContext,
  page: Page,
  { status = 200, redirectUri }: { readonly status?: PageStatus; readonly redirectUri?: string },
): Promise<FailureResponse> {
  const target = redirectUri === undefined ? null : formTargetOf(redirectUri);
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${await hashOf(STYLE_SHEET)}'`,
    `script-src 'sha256-${await hashOf(PASSKEY_SCRIPT)}'`,
    `form-action 'self'${target === null ? '' : ` ${target}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  c.header('content-security-policy', policy.join('; '));
  c.header('referrer-policy', 'same-origin');
  c.header('vary', 'accept-language, cookie');
  return (await c.html(documentOf(page, c.env.CONSOLE_ORIGIN), status)) as unknown as FailureResponse;
}

/** A page that says why nothing goes on, and leads nowhere. */
export function answerError(c: AppContext, error: keyof Texts['errors'], status: PageStatus): Promise<FailureResponse> {
  return answerPage(c, errorPage(languageOf(c.req.header('accept-language')), error), { status });
}

const hashes = new Map<string, string>();

/** Of a text of ours, of which there are two. */
async function hashOf(text: string): Promise<string> {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  hashes.set(text, hash);
  return hash;
}
