import { createRoute, z } from '@hono/zod-openapi';
import { html } from 'hono/html';
import { isUnsubscribable, unsubscribe } from '../../../application/mail/mail-preferences.ts';
import { UNSUBSCRIBE_PATH } from '../../../application/mail/unsubscribe-token.ts';
import { mailKindName } from '../../../domain/mail/kind-names.ts';
import { isMailKind, type MailKind, type MailLanguage } from '../../../domain/mail/mail-kinds.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerPage } from '../authorize/answer-page.ts';
import { type Page, page } from '../authorize/pages.ts';
import { languageOf } from '../authorize/texts.ts';

const Query = z.object({
  user: z.string().min(1).max(100),
  kind: z.string().min(1).max(100),
  token: z.string().min(1).max(100),
});

/** What RFC 8058 has mail programs send, and our page with them. */
const Form = z.object({ 'List-Unsubscribe': z.literal('One-Click') });

const TEXTS: Readonly<Record<MailLanguage, Texts>> = {
  en: {
    ask: 'Stop these mails?',
    about: (kind) => `Mails of the kind “${kind}” end. You can switch them on again in your mail preferences.`,
    stop: 'Stop them',
    done: 'These mails have ended',
    wrong: 'This address is not good',
    wrongHint: 'Open it from the mail again, or sign in and change your mail preferences.',
  },
  de: {
    ask: 'Diese E-Mails abbestellen?',
    about: (kind) =>
      `E-Mails der Art „${kind}“ enden. Sie können sie in Ihren E-Mail-Einstellungen wieder einschalten.`,
    stop: 'Abbestellen',
    done: 'Diese E-Mails sind abbestellt',
    wrong: 'Diese Adresse ist nicht gültig',
    wrongHint:
      'Öffnen Sie sie noch einmal aus der E-Mail, oder melden Sie sich an und ändern Sie Ihre E-Mail-Einstellungen.',
  },
};

interface Texts {
  readonly ask: string;
  readonly about: (kind: string) => string;
  readonly stop: string;
  readonly done: string;
  readonly wrong: string;
  readonly wrongHint: string;
}

const PAGE = { description: 'A page', content: { 'text/html': { schema: z.string() } } };

/**
 * Ends mails of a kind by the address that stands in each of them, without signing in. A GET only asks, since programs that look at links follow them; one POST ends them (RFC
 * 8058), and is answered without a redirect.
 */
export function unsubscribeRoutes(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: UNSUBSCRIBE_PATH,
      hide: true,
      request: { query: Query },
      responses: { 200: PAGE },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const [language, subscription] = [languageOf(c.req.header('accept-language')), subscriptionOf(query)];
      if (subscription === null || !(await isUnsubscribable(c.env, subscription, query.token)))
        return answerWrong(c, language);
      return answerPage(c, askPage(language, subscription.kind), {});
    },
  );
  registerRoute(
    iam,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'post',
      path: UNSUBSCRIBE_PATH,
      hide: true,
      request: {
        query: Query,
        body: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: Form }, 'multipart/form-data': { schema: Form } },
        },
      },
      responses: { 200: PAGE },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const [language, subscription] = [languageOf(c.req.header('accept-language')), subscriptionOf(query)];
      if (subscription === null || !(await unsubscribe(c.env, subscription, query.token)))
        return answerWrong(c, language);
      return answerPage(c, donePage(language, subscription.kind), {});
    },
  );
}

function subscriptionOf({ user, kind }: z.infer<typeof Query>): { userId: string; kind: MailKind } | null {
  return isMailKind(kind) ? { userId: user, kind } : null;
}

function answerWrong(c: AppContext, language: MailLanguage): Promise<FailureResponse> {
  const { wrong, wrongHint } = TEXTS[language];
  return answerPage(c, page(language, wrong, html`<h1>${wrong}</h1><p>${wrongHint}</p>`), { status: 403 });
}

function askPage(language: MailLanguage, kind: MailKind): Page {
  const { ask, about, stop } = TEXTS[language];
  return page(
    language,
    ask,
    html`<h1>${ask}</h1><p>${about(mailKindName(kind, language))}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${stop}</button></form>`,
  );
}

function donePage(language: MailLanguage, kind: MailKind): Page {
  const { done, about } = TEXTS[language];
  return page(language, done, html`<h1>${done}</h1><p>${about(mailKindName(kind, language))}</p>`);
}
