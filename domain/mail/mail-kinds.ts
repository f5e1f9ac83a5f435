import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';

/** Mail of security and of the account is always sent; what is a preference its reader switches. */
export type MailClass = 'security' | 'preference';

export type MailLanguage = 'en' | 'de';

export const MAIL_LANGUAGES = ['en', 'de'] as const satisfies readonly MailLanguage[];

interface MailRule {
  readonly class: MailClass;
  /** Of a preference: whether it is sent to who has stated nothing. */
  readonly isOnByDefault: boolean;
  /** The facts that its text may name; others are not kept. A line whose fact is missing is left out. */
  readonly facts: readonly string[];
  /** How long it is worth sending, from its posting. */
  readonly goodFor_ms: number;
}

/** Shorter than a provider keeps an idempotency key. */
const HALF_DAY_MS = 12 * HOUR_MS;

const security = (...facts: string[]): MailRule => ({
  class: 'security',
  isOnByDefault: true,
  facts,
  goodFor_ms: HALF_DAY_MS,
});

const preference = (isOnByDefault: boolean, ...facts: string[]): MailRule => ({
  class: 'preference',
  isOnByDefault,
  facts,
  goodFor_ms: HALF_DAY_MS,
});

/** Every kind of mail (docs/design/mail.md#kinds). */
export const MAIL_KINDS = {
  mail_confirm: { ...security('code', 'minutes'), goodFor_ms: 30 * MINUTE_MS },
  signup_exists: security('at'),
  /** To an address that is somebody's, in place of a code for another user. */
  address_in_use: security('at'),
  // For as long as the change waits.
  address_change_waits: { ...security('address', 'until'), goodFor_ms: DAY_MS },
  address_change_lapsed: security('at'),
  /** To the address that a user had before. */
  address_changed: security('address', 'at'),
  sign_in_new_device: security('device', 'place', 'at'),
  factor_added: security('factor', 'device', 'at'),
  factor_removed: security('factor', 'device', 'at'),
  // For as long as the recovery waits.
  recovery_requested: { ...security('until'), goodFor_ms: DAY_MS },
  recovery_done: security('at'),
  key_created: security('name', 'at'),
  key_revoked: security('name', 'at'),
  kill_switch_pulled: security('at'),
  withdrawal_asked: security('amount', 'id', 'at'),
  withdrawal_done: security('amount', 'id', 'at'),
  identity_decided: security('decision', 'reason', 'until'),
  identity_ends: security('until', 'page'),
  accreditation_decided: security('decision', 'reason', 'until'),
  accreditation_ends: security('until'),
  endpoint_disabled: security('url', 'reason'),
  action_waits: preference(true, 'action', 'security', 'amount'),
  transfer_late: preference(true, 'transfer', 'security', 'until'),
  order_filled: preference(false, 'side', 'quantity', 'market', 'price', 'order', 'at'),
  order_refused: preference(false, 'side', 'quantity', 'market', 'reason', 'order', 'at'),
  allotment: preference(true, 'asset', 'quantity', 'price', 'amount'),
  market_halted: preference(false, 'market', 'reason', 'at', 'until'),
  approval_asked: preference(true, 'action', 'by', 'until'),
} as const satisfies Readonly<Record<string, MailRule>>;

export type MailKind = keyof typeof MAIL_KINDS;

export function isMailKind(text: string): text is MailKind {
  return Object.hasOwn(MAIL_KINDS, text);
}

export function ruleOfMail(kind: MailKind): MailRule {
  return MAIL_KINDS[kind];
}

export function kindsOfClass(wanted: MailClass): MailKind[] {
  return (Object.keys(MAIL_KINDS) as MailKind[]).filter((kind) => MAIL_KINDS[kind].class === wanted);
}

/** Characters of a fact that are kept. @internal */
export const FACT_LENGTH_MAX = 300;

/** What a mail may say: the facts of its kind, each on one line and so long at most. */
export function factsOfMail(kind: MailKind, facts: Readonly<Record<string, string>>): Record<string, string> {
  const kept = ruleOfMail(kind).facts.flatMap((name) => {
    const value = Object.hasOwn(facts, name) ? facts[name] : undefined;
    return value === undefined || value === '' ? [] : [[name, oneLine(value)] as const];
  });
  return Object.fromEntries(kept);
}

function oneLine(value: string): string {
  const line = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > FACT_LENGTH_MAX ? `${characters.slice(0, FACT_LENGTH_MAX - 1).join('')}…` : line;
}
