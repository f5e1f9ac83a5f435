import { html } from 'hono/html';
import type { AuthorizingClient } from '../../../application/identity/authorization/authorizing-client.ts';
import { type FormTerms, formOf, type Page, page, whoAsks } from './pages.ts';
import { type Language, textsIn } from './texts.ts';

interface SignOutPage extends FormTerms {
  /** Who asks; null where that is not known. */
  readonly client: AuthorizingClient | null;
  /** Where its person is led, or shown a link to; null for nowhere. */
  readonly redirectUri: string | null;
  readonly userName: string;
}

/** Asks whether the person wants to sign out: a link of somebody else's may have led here. */
export function signOutPage({ language, client, redirectUri, userName, ...form }: SignOutPage): Page {
  const texts = textsIn(language);
  return page(
    language,
    texts.signOutTitle,
    html`<h1>${texts.signOutTitle}</h1>
<p>${client === null ? texts.signOutAsked : texts.signOutAskedBy(client.name)} ${texts.signedInAs(userName)}</p>
${client === null ? '' : whoAsks(texts, client, redirectUri)}
${formOf(
  form,
  'sign_out',
  html`<button name="answer" value="sign_out">${texts.signOut}</button>
<button class="plain" name="answer" value="stay">${texts.staySignedIn}</button>`,
)}`,
  );
}

/** Says what has become of the session, and leads nowhere by itself. @param back a place of the client's that is proved; null for none */
export function afterSignOutPage(language: Language, isSignedOut: boolean, back: string | null): Page {
  const texts = textsIn(language);
  const title = isSignedOut ? texts.signedOutTitle : texts.stillSignedInTitle;
  return page(
    language,
    title,
    html`<h1>${title}</h1>
<p>${isSignedOut ? texts.signedOut : texts.stillSignedIn}</p>
${back === null ? '' : html`<p><a href="${back}">${texts.goTo(placeOf(back))}</a></p>`}`,
  );
}

function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}
