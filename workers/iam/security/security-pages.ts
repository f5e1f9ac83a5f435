import { html, raw } from 'hono/html';
import { renderSVG } from 'uqr';
import type { AddressChange } from '../../../application/mail/change-mail-address.ts';
import type { SeenBrowser } from '../../../data/identity/browser-sessions.ts';
import type { ClientConsent } from '../../../data/identity/client-consents.ts';
import type { Passkey } from '../../../data/identity/factors.ts';
import type { SessionRow } from '../../../data/identity/sessions.ts';
import { FACTOR_NAME_LENGTH_MAX, PASSKEYS_MAX, type SignInMethod } from '../../../domain/identity/factors.ts';
import {
  type FormTerms,
  field,
  formOf,
  type Html,
  type LimitFields,
  type Page,
  type PasskeyTerms,
  page,
  passkeyForm,
} from '../authorize/pages.ts';
import { type Language, textsIn } from '../authorize/texts.ts';
import { type SecurityTexts, securityTextsIn } from './security-texts.ts';

/** What a person has allowed. */
export interface SeenConsent extends ClientConsent {
  /** Of the key that it acts under; null for none. */
  readonly limits: LimitFields | null;
  readonly isOver: boolean;
}

export interface SecurityPage extends FormTerms {
  readonly userName: string;
  /** Minutes that a change asks for, where the person signed in before them; null where they may change things. */
  readonly staleMinutes: number | null;
  readonly done: keyof SecurityTexts['done'] | null;
  readonly failed: keyof SecurityTexts['failed'] | null;
  readonly passkeys: readonly Passkey[];
  /** To add one. */
  readonly passkey: PasskeyTerms;
  readonly totp: 'none' | 'on' | { readonly secret: string; readonly address: string };
  readonly recoveryCodesLeft: number;
  readonly mail: {
    /** Masked; null where none is confirmed. */
    readonly address: string | null;
    /** Whether one is there that cannot be shown. */
    readonly isClosed: boolean;
    readonly change: AddressChange | null;
    /** What the person has written into the field, where it did not hold. */
    readonly written: string;
  };
  readonly browsers: readonly SeenBrowser[];
  /** Hash of the browser that asks. */
  readonly thisBrowser: string;
  readonly sessions: readonly SessionRow[];
  readonly consents: readonly SeenConsent[];
  /** When a recovery takes effect that an operator has begun, Unix milliseconds; null for none. */
  readonly recoveryDueAt: number | null;
  /** By this browser, which has shown more than a code by SMS. */
  readonly mayStopRecovery: boolean;
}

type Part = SecurityPage & { readonly texts: SecurityTexts };

export function securityPage(shown: SecurityPage): Page {
  const { language, userName, staleMinutes, done, failed, recoveryDueAt, mayStopRecovery } = shown;
  const texts = securityTextsIn(language);
  const part = { ...shown, texts };
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1>
<p>${texts.signedInAs(userName)}</p>
${done === null ? '' : html`<p class="done" role="status">${texts.done[done]}</p>`}
${failed === null || isBesideField(shown) ? '' : html`<p class="wrong" role="alert">${texts.failed[failed]}</p>`}
${recoveryDueAt === null ? '' : html`<p class="wrong" role="alert">${texts.recoveryWaits(timeIn(language, recoveryDueAt))}</p>`}
${recoveryDueAt === null || !mayStopRecovery ? '' : formOf(shown, 'recovery_stop', html`<button>${texts.recoveryStop}</button>`)}
${staleMinutes === null ? '' : formOf(shown, 'confirm', html`<p>${texts.fresh(staleMinutes)}</p><button>${texts.confirm}</button>`)}
${passkeysPart(part)}
${totpPart(part)}
${recoveryPart(part)}
${mailPart(part)}
${sessionsPart(part)}
${consentsPart(part)}
${formOf(shown, 'sign_out', html`<button class="plain">${texts.signOut}</button>`)}`,
  );
}

function passkeysPart({ texts, passkeys, passkey, staleMinutes, ...shown }: Part): Html {
  const { language } = shown;
  const isFull = passkeys.length >= PASSKEYS_MAX;
  const name = html`<label for="name">${texts.passkeyName}</label>
<input id="name" name="name" type="text" maxlength="${FACTOR_NAME_LENGTH_MAX}" autocomplete="off" aria-describedby="name-hint">
<p class="hint" id="name-hint">${texts.passkeyNameHint}</p>`;
  return html`<section aria-labelledby="passkeys"><h2 id="passkeys">${texts.passkeys}</h2>
<p class="hint">${texts.passkeysHint}</p>
${passkeys.length === 0 ? html`<p>${texts.noPasskeys}</p>` : ''}
<ul class="things">${passkeys.map(
    ({ id, name: called, createdAt, usedAt }) => html`<li><p><strong>${called}</strong></p>
<p class="hint">${texts.added} ${dayIn(language, createdAt)}, ${usedAt === null ? texts.neverUsed : `${texts.used} ${dayIn(language, usedAt)}`}</p>
${staleMinutes === null ? thing(shown, 'passkey_remove', id, texts.remove, called) : ''}</li>`,
  )}</ul>
${isFull || staleMinutes !== null ? '' : html`${passkeyForm(textsIn(language), shown, { step: 'passkey_add', passkey, wrong: false, label: texts.addPasskey, before: name, after: '' })}<noscript><p class="hint">${texts.withoutScript}</p></noscript>`}
</section>`;
}

function totpPart({ texts, totp, staleMinutes, failed, ...shown }: Part): Html {
  const mayChange = staleMinutes === null;
  return html`<section aria-labelledby="totp"><h2 id="totp">${texts.totp}</h2>
<p class="hint">${texts.totpHint}</p>
${totp === 'on' ? html`<p>${texts.totpOn}</p>${mayChange ? formOf(shown, 'totp_remove', html`<button class="plain small">${texts.remove}</button>`) : ''}` : ''}
${totp === 'none' && mayChange ? formOf(shown, 'totp_begin', html`<button>${texts.totpBegin}</button>`) : ''}
${
  typeof totp === 'string' || !mayChange
    ? ''
    : html`<p>${texts.totpScan}</p>
<div class="qr" role="img" aria-label="${texts.totpPicture}">${raw(renderSVG(totp.address))}</div>
<p>${texts.totpKey}: <code>${totp.secret.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
<p><a href="${totp.address}">${texts.totpOpen}</a></p>
${formOf(
  shown,
  'totp_confirm',
  html`${field({ name: 'code', label: texts.totpCode, hint: '', value: '', type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', wrong: failed === 'code' ? texts.failed.code : null })}
<button>${texts.totpConfirm}</button>`,
)}`
}</section>`;
}

function recoveryPart({ texts, recoveryCodesLeft, passkeys, totp, staleMinutes, ...shown }: Part): Html {
  const mayHave = passkeys.length > 0 || totp === 'on';
  return html`<section aria-labelledby="recovery"><h2 id="recovery">${texts.recovery}</h2>
<p class="hint">${texts.recoveryHint}</p>
<p>${mayHave ? texts.recoveryLeft(recoveryCodesLeft) : texts.recoveryNone}</p>
${
  mayHave && staleMinutes === null
    ? formOf(
        shown,
        'recovery_make',
        html`<button>${texts.recoveryMake}</button>${recoveryCodesLeft > 0 ? html`<p class="hint">${texts.recoveryMakeAgain}</p>` : ''}`,
      )
    : ''
}</section>`;
}

/** What is wrong with the other address, or with a code, stands beside the field. */
function isBesideField({ failed, totp }: SecurityPage): boolean {
  return isOfMail(failed) || (failed === 'code' && typeof totp !== 'string');
}

function isOfMail(failed: SecurityPage['failed']): failed is 'mail' | 'mailSame' | 'mailLimited' | 'mailCode' {
  return failed === 'mail' || failed === 'mailSame' || failed === 'mailLimited' || failed === 'mailCode';
}

function mailPart({ texts, mail: { address, isClosed, change, written }, staleMinutes, failed, ...shown }: Part): Html {
  const { language } = shown;
  const mayChange = staleMinutes === null;
  const wrong = isOfMail(failed) ? texts.failed[failed] : null;
  const stop = formOf(shown, 'mail_stop', html`<button class="plain">${texts.mailStop}</button>`);
  const ask = formOf(
    shown,
    'mail_ask',
    html`${field({ name: 'mail', label: texts.mailNew, hint: texts.mailNewHint, value: written, type: 'email', inputmode: 'email', autocomplete: 'email', wrong: failed === 'mailCode' ? null : wrong })}
<button>${texts.mailAsk}</button>`,
  );
  return html`<section aria-labelledby="mail-address"><h2 id="mail-address">${texts.mail}</h2>
<p>${isClosed ? texts.mailClosed : address === null ? texts.mailNone : texts.mailIs(address)}</p>
${change?.state === 'waiting' ? html`<p>${texts.mailWaits(change.address ?? texts.mailUnshown, timeIn(language, change.dueAt ?? 0))}</p>${stop}` : ''}
${
  change?.state === 'asked' && mayChange
    ? html`${formOf(
        shown,
        'mail_confirm',
        html`${field({ name: 'mail_code', label: texts.mailCode, hint: texts.mailCodeHint(change.address ?? texts.mailUnshown), value: '', type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', wrong: failed === 'mailCode' ? wrong : null })}
<button>${texts.mailConfirm}</button>`,
      )}${stop}`
    : ''
}
${change?.state !== 'waiting' && mayChange ? ask : ''}
</section>`;
}

function sessionsPart({ texts, browsers, thisBrowser, sessions, consents, ...shown }: Part): Html {
  const { language } = shown;
  const nameOf = new Map(consents.map(({ clientId, clientName }) => [clientId, clientName]));
  const line = (device: string | null, method: SignInMethod, since: number, place: string | null) =>
    html`<p><strong>${device ?? texts.unknownDevice}</strong></p>
<p class="hint">${texts.since} ${timeIn(language, since)}, ${texts.methods[method]}${place === null ? '' : html`. ${texts.place} <code>${place.slice(0, 6)}</code>`}</p>`;
  return html`<section aria-labelledby="sessions"><h2 id="sessions">${texts.sessions}</h2>
<ul class="things">${browsers.map(
    ({ hash, device, method, createdAt, place }) => html`<li>${line(device, method, createdAt, place)}
${hash === thisBrowser ? html`<p>${texts.thisOne}</p>` : thing(shown, 'browser_end', hash, texts.end, device ?? texts.browser)}</li>`,
  )}
${sessions.map(
  ({
    id,
    clientId,
    device,
    method,
    begunAt,
    place,
  }) => html`<li><p>${nameOf.get(clientId) ?? clientId}</p>${line(device, method, begunAt, place)}
${thing(shown, 'session_end', id, texts.end, nameOf.get(clientId) ?? clientId)}</li>`,
)}</ul>
${formOf(shown, 'sessions_end', html`<button class="plain">${texts.endAll}</button>`)}
</section>`;
}

function consentsPart({ texts, consents, ...shown }: Part): Html {
  const { language } = shown;
  return html`<section aria-labelledby="applications"><h2 id="applications">${texts.applications}</h2>
${consents.length === 0 ? html`<p>${texts.noApplications}</p>` : ''}
<ul class="things">${consents.map(
    ({ id, clientName, agreedAt, scope, limits, isOver }) => html`<li><p><strong>${clientName}</strong></p>
<p class="hint">${texts.allowed} ${dayIn(language, agreedAt)}: ${scopesIn(language, scope).join('; ')}</p>
${limits === null ? '' : html`<p class="hint">${limitsIn(texts, language, limits).join('; ')}</p>`}
${isOver ? html`<p class="hint">${texts.keyOver}</p>` : ''}
${thing(shown, 'consent_end', id, texts.end, clientName)}</li>`,
  )}</ul></section>`;
}

/** What was allowed, in the words of the page that asked for it. */
function scopesIn(language: Language, scope: string): string[] {
  const words: Readonly<Record<string, string>> = textsIn(language).scopes;
  return scope.split(' ').map((name) => words[name] ?? name);
}

function limitsIn(
  texts: SecurityTexts,
  language: Language,
  { mayTrade, symbols, dailyNotional, dailyLoss, until, assets }: LimitFields,
): string[] {
  return [
    mayTrade ? texts.maySeeAndTrade : texts.maySee,
    ...(symbols === '' ? [] : [texts.limitMarkets(symbols)]),
    ...(dailyNotional === '' ? [] : [texts.limitNotional(numberIn(language, dailyNotional))]),
    ...(dailyLoss === '' ? [] : [texts.limitLoss(numberIn(language, dailyLoss))]),
    ...assets.flatMap(({ asset, position, order }) => [
      ...(position === '' ? [] : [texts.limitPosition(asset, numberIn(language, position))]),
      ...(order === '' ? [] : [texts.limitOrder(asset, numberIn(language, order))]),
    ]),
    ...(until === '' ? [] : [texts.limitUntil(dayIn(language, Date.parse(until)))]),
  ];
}

/** A button that does something to one of several. @param of is read to whoever listens, so that the buttons differ */
function thing(form: FormTerms, step: string, id: string, label: string, of: string): Html {
  return formOf(
    form,
    step,
    html`<input type="hidden" name="id" value="${id}"><button class="plain small" aria-label="${label}: ${of}">${label}</button>`,
  );
}

/** Shown this once. */
export function recoveryCodesPage(language: Language, codes: readonly string[]): Page {
  const texts = securityTextsIn(language);
  return page(
    language,
    texts.recoveryShown,
    html`<h1>${texts.recoveryShown}</h1>
<p>${texts.recoveryOnce}</p>
<ol class="codes">${codes.map((code) => html`<li>${code.match(/.{1,5}/g)?.join('-') ?? ''}</li>`)}</ol>
<p><a href="?">${texts.back}</a></p>`,
  );
}

/** A decimal, as the reader writes them; all its digits. */
function numberIn(language: Language, decimal: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 15 }).format(decimal as `${number}`);
}

function dayIn(language: Language, at: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
}

function timeIn(language: Language, at: number): string {
  return `${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;
}
