import { html, raw } from 'hono/html';
import type { AuthorizingClient } from '../../../application/identity/authorization/authorizing-client.ts';
import type { Target } from '../../../application/identity/authorization/target.ts';
import type { Enrolled } from '../../../domain/identity/factors.ts';
import type { OidcScope } from '../../../domain/identity/oidc-scope.ts';
import { isLoopback } from '../../../domain/identity/redirect-uri.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { STYLE_SHEET } from './style.ts';
import { type Language, type Texts, textsIn } from './texts.ts';

/** Of what a person writes into a field. */
export const FIELD_LENGTH_MAX = 2_000;

/** A page as text; what is put into one is escaped, unless it is a page's part itself. */
export type Html = ReturnType<typeof html>;

/** What the script asks the browser for. */
export interface PasskeyTerms {
  readonly challenge: string;
  readonly rpId: string;
  /** Of one that is to be made; left out where one is to sign. */
  readonly rpName?: string;
  readonly user?: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly algorithms?: readonly number[];
  /** Credentials that the person has. */
  readonly exclude?: readonly string[];
}

/** What every form carries. */
export interface FormTerms {
  readonly language: Language;
  readonly formToken: string;
  /** The request, as it stands in the address: the form is sent to the same page with it. */
  readonly query: string;
}

interface PhonePage extends FormTerms {
  /** Null where nobody has looked yet who asks. */
  readonly clientName: string | null;
  readonly phone: string;
  readonly wrong: boolean;
  readonly passkey: PasskeyTerms;
  /** Whether a passkey was shown that does not hold. */
  readonly passkeyWrong: boolean;
  /** Whether the person is signed in, and is asked once more. */
  readonly again: boolean;
  /** Whether people open accounts by themselves here. */
  readonly maySignUp: boolean;
}

export function phonePage({
  language,
  clientName,
  phone,
  wrong,
  passkey,
  passkeyWrong,
  again,
  maySignUp,
  ...form
}: PhonePage): Page {
  const texts = textsIn(language);
  const title = clientName === null ? texts.signIn : texts.signInTo(clientName);
  return page(
    language,
    title,
    html`<h1>${title}</h1>
${again ? html`<p>${texts.again}</p>` : ''}
${passkeyForm(texts, form, { step: 'passkey', passkey, wrong: passkeyWrong, label: texts.withPasskey, after: html`<h2>${texts.orByCode}</h2>` })}
${formOf(
  form,
  'phone',
  html`${field({ name: 'phone', label: texts.phone, hint: texts.phoneHint, value: phone, type: 'tel', autocomplete: 'tel webauthn', wrong: wrong ? texts.phoneWrong : null, isFirst: true })}
<button>${texts.sendCode}</button>`,
)}
${maySignUp ? html`<p><a href="../../../sign-up?${form.query}">${texts.signUp}</a></p>` : ''}`,
  );
}

interface CodePage extends FormTerms {
  readonly phone: string;
  readonly wrong: boolean;
  /** Seconds until another message may be sent, where one was asked for too early. */
  readonly retryAfter: number | null;
}

export function codePage({ language, phone, wrong, retryAfter, ...form }: CodePage): Page {
  const texts = textsIn(language);
  const hint = retryAfter === null ? texts.codeHint(phone) : texts.codeSoon(retryAfter);
  return page(
    language,
    texts.signIn,
    html`<h1>${texts.signIn}</h1>
${formOf(
  form,
  'code',
  html`<input type="hidden" name="phone" value="${phone}">
${field({ name: 'code', label: texts.code, hint, value: '', type: 'text', inputmode: 'text', autocomplete: 'one-time-code', wrong: wrong ? texts.codeWrong : null, isFirst: true })}
<button>${texts.goOn}</button>`,
)}
<p><a href="?${form.query}">${texts.otherNumber}</a></p>`,
  );
}

interface SecondPage extends FormTerms {
  /** What the browser has shown, for the next step (`second-step.ts`). */
  readonly proof: string;
  readonly enrolled: Enrolled;
  readonly passkey: PasskeyTerms;
  readonly wrong: boolean;
}

/** A right code by SMS is not enough for who has more. */
export function secondPage({ language, proof, enrolled, passkey, wrong, ...form }: SecondPage): Page {
  const texts = textsIn(language);
  const { totp } = enrolled;
  return page(
    language,
    texts.secondStep,
    html`<h1>${texts.secondStep}</h1>
<p>${totp ? texts.secondTotp : texts.secondPasskey}</p>
${enrolled.passkeys === 0 ? '' : passkeyForm(texts, form, { step: 'passkey', passkey, wrong: false, label: texts.withPasskey, after: '' })}
${formOf(
  form,
  'second',
  html`<input type="hidden" name="proof" value="${proof}">
${field({ name: 'code', label: totp ? texts.secondCode : texts.recoveryCode, hint: totp ? texts.secondCodeHint : texts.recoveryCodeHint, value: '', type: 'text', autocomplete: 'one-time-code', wrong: wrong ? texts.secondWrong : null, isFirst: true })}
<button>${texts.goOn}</button>`,
)}
<p class="hint">${texts.secondLost}</p>`,
  );
}

/** Hidden until the script finds a browser that has passkeys. */
export function passkeyForm(
  texts: Texts,
  { formToken, query }: Omit<FormTerms, 'language'>,
  {
    step,
    passkey,
    wrong,
    label,
    before = '',
    after,
  }: {
    readonly step: string;
    readonly passkey: PasskeyTerms;
    readonly wrong: boolean;
    readonly label: string;
    readonly before?: Html | string;
    readonly after: Html | string;
  },
): Html {
  return html`<form method="post" action="?${query}" hidden data-passkey="${JSON.stringify(passkey)}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="step" value="${step}">
<input type="hidden" name="credential" value="">
${before}
<button>${label}</button>
<p class="wrong" role="alert" data-failed="${texts.passkeyFailed}" data-known="${texts.passkeyKnown}">${wrong ? texts.passkeyFailed : ''}</p>
${after}
</form>`;
}

/** What the person has written into the limits of an agent, as they wrote it. */
export interface LimitFields {
  readonly mayTrade: boolean;
  readonly symbols: string;
  readonly dailyNotional: string;
  readonly dailyLoss: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly until: string;
  readonly assets: readonly AssetFields[];
}

/** A row of the limits by asset. */
export interface AssetFields {
  readonly asset: string;
  readonly position: string;
  readonly order: string;
}

export type AssetProblems = Readonly<Partial<Record<keyof AssetFields, TextName>>>;

export type LimitProblems = Readonly<
  Partial<Record<'symbols' | 'dailyNotional' | 'dailyLoss' | 'until' | 'all', TextName>>
> & {
  /** Of each row; left out where all hold. */
  readonly assets?: readonly AssetProblems[];
};

/** A text that is said as it stands. */
type TextName = { [Name in keyof Texts]: Texts[Name] extends string ? Name : never }[keyof Texts];

interface ConsentPage extends FormTerms {
  readonly client: AuthorizingClient;
  readonly redirectUri: string;
  readonly userName: string;
  readonly scope: readonly OidcScope[];
  readonly target: Target['kind'];
  /** Of an agent; null for others, who have none. */
  readonly limits: LimitFields | null;
  readonly problems: LimitProblems;
}

export function consentPage(shown: ConsentPage): Page {
  const { language, client, redirectUri, userName, scope, target, limits, problems, ...form } = shown;
  const texts = textsIn(language);
  const things = [...scope.map((name) => texts.scopes[name]), texts.targets[target]].filter((thing) => thing !== '');
  return page(
    language,
    texts.allowTitle(client.name),
    html`<h1>${texts.allowTitle(client.name)}</h1>
<p>${texts.asks(client.name)} ${texts.signedInAs(userName)}</p>
${whoAsks(texts, client, redirectUri)}
<h2>${texts.mayDo}</h2>
<ul>${things.map((thing) => html`<li>${thing}</li>`)}</ul>
${formOf(
  form,
  'allow',
  html`${limits === null ? '' : limitFields(texts, limits, problems)}
<button name="answer" value="allow">${texts.allow}</button>
<button class="plain" name="answer" value="deny">${texts.deny}</button>
<button class="plain" name="answer" value="other">${texts.otherNumber}</button>`,
)}`,
  );
}

/** What proves a client, the host of one that speaks by its document, and where the person is sent. @param redirectUri null for nowhere */
export function whoAsks(texts: Texts, client: AuthorizingClient, redirectUri: string | null): Html {
  const ownHost = client.kind === 'document' ? (URL.parse(client.id)?.host ?? client.id) : null;
  const place = redirectUri === null ? null : placeOf(texts, redirectUri);
  return html`<p>${texts.kinds[client.kind]}</p>
<dl>${ownHost === null ? '' : html`<dt>${texts.clientHost}</dt><dd>${ownHost}</dd>`}
${place === null ? '' : html`<dt>${texts.answeredAt}</dt><dd>${place}</dd>`}</dl>`;
}

function placeOf(texts: Texts, uri: string): string {
  const { host, protocol } = new URL(uri);
  if (isLoopback(uri)) return `${texts.ownMachine} (${host})`;
  return protocol === 'https:' ? host : protocol;
}

function limitFields(texts: Texts, limits: LimitFields, problems: LimitProblems): Html {
  const said = (name: Exclude<keyof LimitProblems, 'assets'>) => {
    const text = problems[name];
    return text === undefined ? null : texts[text];
  };
  const all = said('all');
  return html`<fieldset><legend>${texts.limits}</legend>
${all === null ? '' : html`<p class="wrong" role="alert">${all}</p>`}
<label class="choice"><input type="checkbox" name="may_trade" value="yes"${limits.mayTrade ? html` checked` : ''}><span>${texts.mayTrade}</span></label>
${field({ name: 'symbols', label: texts.symbols, hint: texts.symbolsHint, value: limits.symbols, type: 'text', wrong: said('symbols') })}
${field({ name: 'daily_notional', label: texts.dailyNotional, hint: '', value: limits.dailyNotional, type: 'text', inputmode: 'decimal', wrong: said('dailyNotional') })}
${field({ name: 'daily_loss', label: texts.dailyLoss, hint: texts.dailyLossHint, value: limits.dailyLoss, type: 'text', inputmode: 'decimal', wrong: said('dailyLoss') })}
${field({ name: 'until', label: texts.until, hint: texts.untilHint, value: limits.until, type: 'date', wrong: said('until') })}
${assetLimitFields(texts, limits.assets, problems.assets)}
</fieldset>`;
}

/** Folded by the browser itself, so that it needs no script; open where something is written or wrong. */
function assetLimitFields(
  texts: Texts,
  assets: readonly AssetFields[],
  problems: readonly AssetProblems[] | undefined,
): Html {
  const isOpen = problems !== undefined || assets.some((row) => Object.values(row).some((written) => written !== ''));
  return html`<details${isOpen ? html` open` : ''}><summary>${texts.assetLimits}</summary>
<p class="hint">${texts.assetLimitsHint}</p>
${assets.map((row, i) => {
  const said = (name: keyof AssetFields) => {
    const text = problems?.[i]?.[name];
    return text === undefined ? null : texts[text];
  };
  const number = i + 1;
  const isWritten = problems?.[i] !== undefined && Object.keys(problems[i]).length > 0;
  const isShown = i === 0 || isWritten || Object.values(row).some((written) => written !== '');
  return html`<details class="row"${isShown ? html` open` : ''}><summary>${texts.assetLimit(number)}</summary>
${field({ name: `asset_${number}`, label: texts.asset, hint: '', value: row.asset, type: 'text', wrong: said('asset') })}
${field({ name: `position_${number}`, label: texts.positionMax, hint: '', value: row.position, type: 'text', inputmode: 'decimal', wrong: said('position') })}
${field({ name: `order_${number}`, label: texts.orderMax, hint: '', value: row.order, type: 'text', inputmode: 'decimal', wrong: said('order') })}
</details>`;
})}
</details>`;
}

export function errorPage(language: Language, error: keyof Texts['errors']): Page {
  const texts = textsIn(language);
  return page(language, texts.errorTitle, html`<h1>${texts.errorTitle}</h1><p>${texts.errors[error]}</p>`);
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly type: string;
  readonly inputmode?: string;
  readonly autocomplete?: string;
  /** What is wrong with it, said beside it and to whoever listens; null for nothing. */
  readonly wrong: string | null;
  readonly isFirst?: boolean;
}

export function field({
  name,
  label,
  hint,
  value,
  type,
  inputmode = 'text',
  autocomplete = 'off',
  wrong,
  isFirst,
}: Field): Html {
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" inputmode="${type === 'tel' ? 'tel' : inputmode}" autocomplete="${autocomplete}" value="${value}" maxlength="${FIELD_LENGTH_MAX}" aria-describedby="${name}-hint ${name}-wrong" aria-invalid="${wrong === null ? 'false' : 'true'}"${isFirst ? html` autofocus` : ''}>
<p class="hint" id="${name}-hint">${hint}</p>
<p class="wrong" id="${name}-wrong" role="alert">${wrong ?? ''}</p>`;
}

export function formOf({ formToken, query }: Omit<FormTerms, 'language'>, step: string, inside: Html): Html {
  return html`<form method="post" action="?${query}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="step" value="${step}">
${inside}
</form>`;
}

/** What a page says; its frame is the same around each. */
export interface Page {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
}

export function page(language: Language, title: string, body: Html): Page {
  return { language, title, body };
}

/** @param home where the console is: its name leads there */
export function documentOf({ language, title, body }: Page, home: string): Html {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${raw(STYLE_SHEET)}</style></head>
<body><header><a href="${home}/">Edge exchange</a></header><main>${body}</main><script>${raw(PASSKEY_SCRIPT)}</script></body>
</html>`;
}
