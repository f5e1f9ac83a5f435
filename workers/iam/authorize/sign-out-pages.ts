import { html } from 'hono/html';
import { type FormTerms, formOf, type Page, page } from './pages.ts';
import { type Language, textsIn } from './texts.ts';

interface SignOutPage extends FormTerms {
  /** Who asks; null where that is not known. */
  readonly clientName: string | null;
  readonly userName: string;
}

/** Asks whether the person wants to sign out: a link of somebody else's may have led here. */
export function signOutPage({ language, clientName, userName, ...form }: SignOutPage): Page {
  const texts = textsIn(language);
  return page(
    language,
    texts.signOutTitle,
    html`<h1>${texts.signOutTitle}</h1>
<p>${clientName === null ? texts.signOutAsked : texts.signOutAskedBy(clientName)} ${texts.signedInAs(userName)}</p>
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
