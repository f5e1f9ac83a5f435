import { html } from 'hono/html';
import type { SignUpStep } from '../../../domain/onboarding/sign-up.ts';
import { type FormTerms, field, formOf, type Html, type Page, page } from '../authorize/pages.ts';
import type { Language } from '../authorize/texts.ts';
import { type SignUpTexts, signUpTexts } from './sign-up-texts.ts';

const QUESTIONS = 5;

export type Question = 'mail' | SignUpStep;

interface SignUpPage extends FormTerms {
  /** What the person has written, or has said before. */
  readonly value: string;
  readonly wrong: keyof SignUpTexts | null;
}

/** One question a page. */
export function signUpPage(question: Question, { language, value, wrong, ...form }: SignUpPage): Page {
  const texts = signUpTexts(language);
  const said = wrong === null ? null : String(texts[wrong]);
  const input = { wrong: said, isFirst: true, hint: '', value: '', type: 'text' };
  const code = { ...input, name: 'code', inputmode: 'numeric', autocomplete: 'one-time-code' };
  switch (question) {
    case 'mail':
      return asked(1, [
        field({
          ...input,
          name: 'mail',
          label: texts.mail,
          hint: texts.mailHint,
          value,
          type: 'email',
          autocomplete: 'email',
        }),
        html`<button>${texts.sendCode}</button>`,
      ]);
    case 'mail_code':
      return asked(2, [
        field({ ...code, label: texts.mailCode, hint: texts.mailCodeHint(value) }),
        html`<button name="answer" value="go">${texts.goOn}</button>
<button class="plain" name="answer" value="again">${texts.again}</button>
<button class="plain" name="answer" value="other">${texts.otherMail}</button>`,
      ]);
    case 'name':
      return asked(3, [
        field({ ...input, name: 'name', label: texts.name, hint: texts.nameHint, value, autocomplete: 'name' }),
        html`<button>${texts.goOn}</button>`,
      ]);
    case 'phone':
      return asked(4, [
        field({
          ...input,
          name: 'phone',
          label: texts.phone,
          hint: texts.phoneHint,
          value,
          type: 'tel',
          autocomplete: 'tel',
        }),
        html`<button>${texts.sendCode}</button>`,
      ]);
    case 'phone_code':
      return asked(5, [
        field({ ...code, inputmode: 'text', label: texts.phoneCode, hint: texts.phoneCodeHint(value) }),
        html`<button name="answer" value="go">${texts.goOn}</button>
<button class="plain" name="answer" value="other">${texts.otherPhone}</button>`,
      ]);
    case 'finish':
      return page(
        language,
        texts.finishTitle,
        html`<h1>${texts.finishTitle}</h1><p>${texts.finish}</p>
${said === null ? '' : html`<p class="wrong" role="alert">${said}</p>`}
${formOf(form, 'finish', html`<button>${texts.open}</button>`)}`,
      );
  }

  function asked(at: number, parts: readonly Html[]): Page {
    return page(
      language,
      texts.title,
      html`<h1>${texts.title}</h1><p class="hint">${texts.step(at, QUESTIONS)}</p>
${formOf(form, question, html`${parts}`)}`,
    );
  }
}

export function signUpNotice(language: Language, notice: 'closed' | 'limited'): Page {
  const texts = signUpTexts(language);
  const title = texts[`${notice}Title`];
  return page(language, title, html`<h1>${title}</h1><p>${texts[notice]}</p>`);
}
