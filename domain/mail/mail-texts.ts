import type { MailKind, MailLanguage } from './mail-kinds.ts';

/** What a mail says, before it is laid out: each kind has it once, and text and HTML come of it. */
export interface MailText {
  readonly subject: string;
  /** The first line of the mail. */
  readonly title: string;
  readonly lines: readonly string[];
  /** Shown large: a code that its reader types in. */
  readonly code: string | null;
  /** Facts below the lines, each with its name. */
  readonly details: readonly (readonly [name: string, value: string])[];
}

type Facts = Readonly<Record<string, string>>;

/** A text of a kind; a line that names a fact is left out where the fact is missing. */
interface Template {
  readonly title: string;
  readonly lines: (said: Said) => readonly (string | null)[];
  readonly details?: Readonly<Record<string, string>>;
  readonly code?: string;
}

/** Reads facts: null where one is missing, so that a line of it is left out. */
class Said {
  readonly #facts: Facts;
  readonly #language: MailLanguage;

  constructor(facts: Facts, language: MailLanguage) {
    this.#facts = facts;
    this.#language = language;
  }

  fact(name: string): string | null {
    return this.#facts[name] ?? null;
  }

  /** A line that names a fact. */
  line(name: string, say: (value: string) => string): string | null {
    const value = this.fact(name);
    return value === null ? null : say(value);
  }

  /** A line that names a time. */
  time(name: string, say: (value: string) => string): string | null {
    return this.line(name, (value) => say(timeIn(this.#language, value)));
  }
}

/** Facts that are times, as ISO 8601. */
const TIMES = new Set(['at', 'until']);

/** Values that are words of the code, as people read them; others stand as they are. */
const VALUES: Readonly<Record<MailLanguage, Readonly<Record<string, string>>>> = {
  en: {
    verified: 'verified',
    approved: 'approved',
    in_review: 'somebody looks at it',
    asked_back: 'something else is needed',
    refused: 'refused',
    rejected: 'refused',
    revoked: 'ended',
    expired: 'expired',
    buy: 'buy',
    sell: 'sell',
    failing: 'it took nothing for three days',
    gone: 'it answered that it is gone',
    overflow: 'too much waited for it',
    price_band: 'its price left the range that is allowed',
    venue: 'trading is halted in every market',
  },
  de: {
    verified: 'bestätigt',
    approved: 'angenommen',
    in_review: 'jemand sieht es sich an',
    asked_back: 'es wird noch etwas gebraucht',
    refused: 'abgelehnt',
    rejected: 'abgelehnt',
    revoked: 'beendet',
    expired: 'abgelaufen',
    buy: 'Kauf',
    sell: 'Verkauf',
    failing: 'er hat drei Tage lang nichts angenommen',
    gone: 'er hat geantwortet, dass es ihn nicht mehr gibt',
    overflow: 'zu viel hat auf ihn gewartet',
    price_band: 'sein Preis verließ den erlaubten Bereich',
    venue: 'der Handel ist in allen Märkten angehalten',
  },
};

/** Facts whose values may be such words. */
const WORDED = new Set(['decision', 'side', 'reason']);

function valueIn(language: MailLanguage, name: string, value: string): string {
  const words = VALUES[language];
  return WORDED.has(name) && Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}

/** A time as people read it, in UTC; what is no time stays as it is. @internal */
export function timeIn(language: MailLanguage, iso: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(iso) ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time)) return iso;
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const written = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${written.format(time)} UTC`;
}

const NOT_YOU_EN =
  'If this was not you, sign in, end your sessions and keys on the security page, and write to our support.';
const NOT_YOU_DE =
  'Waren Sie das nicht? Melden Sie sich an, beenden Sie auf der Sicherheitsseite Ihre Sitzungen und Schlüssel und schreiben Sie unserem Support.';

const EN: Readonly<Record<MailKind, Template>> = {
  mail_confirm: {
    title: 'Confirm your mail address',
    code: 'code',
    lines: (said) => [
      'Type this code into the page that asked for it.',
      said.line('minutes', (minutes) => `It is good for ${minutes} minutes, once.`),
      'We never ask for it by phone or by mail. If you did not ask for it, you need not do anything.',
    ],
  },
  signup_exists: {
    title: 'You have an account already',
    lines: () => [
      'Somebody tried to open an account with your mail address. There is one already, so nothing was changed.',
      'If it was you, sign in, or ask for help there if you cannot. If it was not, you need not do anything.',
    ],
    details: { at: 'Time' },
  },
  address_in_use: {
    title: 'Somebody wanted to use your mail address',
    lines: () => [
      'Somebody tried to use your mail address for an account that is not yours. Nothing was changed.',
      'If it was you: your address belongs to another account of yours already. If it was not, you need not do anything.',
    ],
    details: { at: 'Time' },
  },
  address_change_waits: {
    title: 'Your mail address is about to change',
    lines: (said) => [
      'Somebody who was signed in to your account has confirmed another mail address for it.',
      said.time('until', (until) => `Until ${until} we go on writing to this one.`),
      'If this was not you, sign in before then and stop it on the security page. If you cannot sign in, write to our support.',
    ],
    details: { address: 'New address' },
  },
  address_change_lapsed: {
    title: 'Your mail address stays as it is',
    lines: () => [
      'The other mail address that you had confirmed could not take the place of this one. We go on writing to this one.',
      'You can ask for another one on the security page.',
    ],
    details: { at: 'Time' },
  },
  address_changed: {
    title: 'Your mail address was changed',
    lines: () => [
      'From now on we write to another address. You get this mail because yours was the one before.',
      NOT_YOU_EN,
    ],
    details: { address: 'New address', at: 'Time' },
  },
  sign_in_new_device: {
    title: 'Sign-in from a new device',
    lines: () => [
      'Somebody signed in to your account from a device or a network that we have not seen in 90 days.',
      NOT_YOU_EN,
    ],
    details: { device: 'Device', place: 'Network', at: 'Time' },
  },
  factor_added: {
    title: 'A way to sign in was added',
    lines: () => ['Another way to sign in to your account was added.', NOT_YOU_EN],
    details: { factor: 'Added', device: 'Device', at: 'Time' },
  },
  factor_removed: {
    title: 'A way to sign in was removed',
    lines: () => ['A way to sign in to your account was removed.', NOT_YOU_EN],
    details: { factor: 'Removed', device: 'Device', at: 'Time' },
  },
  recovery_requested: {
    title: 'Somebody asked to recover your account',
    lines: (said) => [
      'Somebody told us that they have lost every way to sign in to your account, and asked to set up another.',
      said.time('until', (until) => `Nothing happens before ${until}.`),
      'If it was not you, sign in before then and refuse it on the security page.',
    ],
  },
  recovery_done: {
    title: 'Your account was recovered',
    lines: () => [
      'Your earlier ways to sign in were removed, and every session has ended. You can set up another way now.',
      NOT_YOU_EN,
    ],
    details: { at: 'Time' },
  },
  key_created: {
    title: 'An API key was created',
    lines: () => ['A program may now act for your account within the limits of this key.', NOT_YOU_EN],
    details: { name: 'Key', at: 'Time' },
  },
  key_revoked: {
    title: 'An API key was revoked',
    lines: () => ['Programs that use this key can do nothing any more.', NOT_YOU_EN],
    details: { name: 'Key', at: 'Time' },
  },
  kill_switch_pulled: {
    title: 'The kill switch of your account was pulled',
    lines: () => [
      'Every session, token and API key of your account has ended, and open orders are being cancelled. You can sign in again.',
      'If this was neither you nor agreed with us, write to our support.',
    ],
    details: { at: 'Time' },
  },
  withdrawal_asked: {
    title: 'A withdrawal was asked for',
    lines: () => ['Somebody asked to withdraw from your account.', NOT_YOU_EN],
    details: { amount: 'Amount', id: 'Number', at: 'Time' },
  },
  withdrawal_done: {
    title: 'A withdrawal was made',
    lines: () => ['This amount has left your account.', NOT_YOU_EN],
    details: { amount: 'Amount', id: 'Number', at: 'Time' },
  },
  identity_decided: {
    title: 'Your identity was reviewed',
    lines: () => [
      'We have reviewed what you handed in, about yourself or about the entity that you act for. Sign in to see what it means for your account.',
    ],
    details: { decision: 'Result', reason: 'Reason', until: 'Your identity counts until' },
  },
  identity_ends: {
    title: 'Your identity check ends soon',
    lines: (said) => [
      said.time('until', (until) => `What we know of your identity is good until ${until}.`),
      'From then on you can place no orders, and open ones are cancelled, until you have handed in your identity again.',
      said.line(
        'page',
        (page) =>
          `You can do so now: sign in, have your documents ready, and open ${page} yourself. What we know counts until its end, or until the new decision.`,
      ),
    ],
  },
  accreditation_decided: {
    title: 'Your accreditation was decided',
    lines: () => [
      'There is a decision on your status as an accredited investor. Sign in to see what it means for your account.',
    ],
    details: { decision: 'Result', reason: 'Reason', until: 'Valid until' },
  },
  accreditation_ends: {
    title: 'Your accreditation ends soon',
    lines: (said) => [
      said.time('until', (until) => `Your status as an accredited investor ends on ${until}.`),
      'After that you cannot buy securities that ask for it. Sign in to renew it.',
    ],
  },
  endpoint_disabled: {
    title: 'A webhook endpoint was disabled',
    lines: () => [
      'We send nothing more to this endpoint, and what waited for it was put aside.',
      'Mend the receiver, enable the endpoint again, and ask for what it missed.',
    ],
    details: { url: 'Endpoint', reason: 'Reason' },
  },
  action_waits: {
    title: 'A corporate action waits',
    lines: () => ['A payment or another action cannot go on before its money is there.'],
    details: { action: 'Action', security: 'Security', amount: 'Missing' },
  },
  transfer_late: {
    title: 'A transfer is about to be late',
    lines: () => ['A transfer of securities waits for you and is due soon.'],
    details: { transfer: 'Transfer', security: 'Security', until: 'Due' },
  },
  order_filled: {
    title: 'Your order was filled',
    lines: () => ['Your order was filled.'],
    details: { side: 'Side', quantity: 'Quantity', market: 'Market', price: 'Price', order: 'Order', at: 'Time' },
  },
  order_refused: {
    title: 'Your order was refused',
    lines: () => ['Your order was refused. Nothing was bought or sold by it.'],
    details: { side: 'Side', quantity: 'Quantity', market: 'Market', reason: 'Reason', order: 'Order', at: 'Time' },
  },
  allotment: {
    title: 'Your allotment',
    lines: () => ['Shares of an offering were allotted to you.'],
    details: { asset: 'Asset', quantity: 'Shares', price: 'Price', amount: 'Amount' },
  },
  market_halted: {
    title: 'A market was halted',
    lines: () => ['Nothing trades in this market until it is opened again. You can still cancel orders.'],
    details: { market: 'Market', reason: 'Reason', at: 'Time', until: 'Until' },
  },
  approval_asked: {
    title: 'Your approval is asked for',
    lines: () => ['Another operator asks for a second person. Look at the request before you approve it.'],
    details: { action: 'Action', by: 'Asked by', until: 'Until' },
  },
};

const DE: Readonly<Record<MailKind, Template>> = {
  mail_confirm: {
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    code: 'code',
    lines: (said) => [
      'Geben Sie diesen Code auf der Seite ein, die danach gefragt hat.',
      said.line('minutes', (minutes) => `Er gilt ${minutes} Minuten lang und nur einmal.`),
      'Wir fragen nie am Telefon oder per E-Mail danach. Haben Sie ihn nicht angefordert, müssen Sie nichts tun.',
    ],
  },
  signup_exists: {
    title: 'Sie haben schon ein Konto',
    lines: () => [
      'Jemand wollte mit Ihrer E-Mail-Adresse ein Konto eröffnen. Es gibt schon eines, deshalb wurde nichts geändert.',
      'Waren Sie es, dann melden Sie sich an oder lassen Sie sich dort helfen. Waren Sie es nicht, müssen Sie nichts tun.',
    ],
    details: { at: 'Zeit' },
  },
  address_in_use: {
    title: 'Jemand wollte Ihre E-Mail-Adresse verwenden',
    lines: () => [
      'Jemand wollte Ihre E-Mail-Adresse für ein Konto verwenden, das nicht Ihres ist. Es wurde nichts geändert.',
      'Waren Sie es, dann gehört Ihre Adresse schon zu einem anderen Konto von Ihnen. Waren Sie es nicht, müssen Sie nichts tun.',
    ],
    details: { at: 'Zeit' },
  },
  address_change_waits: {
    title: 'Ihre E-Mail-Adresse wird bald geändert',
    lines: (said) => [
      'Jemand, der in Ihrem Konto angemeldet war, hat dafür eine andere E-Mail-Adresse bestätigt.',
      said.time('until', (until) => `Bis zum ${until} schreiben wir weiter an diese.`),
      'Waren Sie das nicht? Dann melden Sie sich vorher an und stoppen Sie es auf der Sicherheitsseite. Können Sie sich nicht anmelden, schreiben Sie unserem Support.',
    ],
    details: { address: 'Neue Adresse' },
  },
  address_change_lapsed: {
    title: 'Ihre E-Mail-Adresse bleibt, wie sie ist',
    lines: () => [
      'Die andere E-Mail-Adresse, die Sie bestätigt hatten, konnte diese nicht ersetzen. Wir schreiben weiter an diese.',
      'Auf der Sicherheitsseite können Sie eine andere angeben.',
    ],
    details: { at: 'Zeit' },
  },
  address_changed: {
    title: 'Ihre E-Mail-Adresse wurde geändert',
    lines: () => [
      'Von jetzt an schreiben wir an eine andere Adresse. Sie bekommen diese E-Mail, weil Ihre die bisherige war.',
      NOT_YOU_DE,
    ],
    details: { address: 'Neue Adresse', at: 'Zeit' },
  },
  sign_in_new_device: {
    title: 'Anmeldung von einem neuen Gerät',
    lines: () => [
      'Jemand hat sich in Ihrem Konto angemeldet, von einem Gerät oder Netz, das wir seit 90 Tagen nicht gesehen haben.',
      NOT_YOU_DE,
    ],
    details: { device: 'Gerät', place: 'Netz', at: 'Zeit' },
  },
  factor_added: {
    title: 'Ein Anmeldeweg kam hinzu',
    lines: () => ['Für Ihr Konto wurde ein weiterer Weg zur Anmeldung eingerichtet.', NOT_YOU_DE],
    details: { factor: 'Hinzugefügt', device: 'Gerät', at: 'Zeit' },
  },
  factor_removed: {
    title: 'Ein Anmeldeweg wurde entfernt',
    lines: () => ['Ein Weg zur Anmeldung in Ihrem Konto wurde entfernt.', NOT_YOU_DE],
    details: { factor: 'Entfernt', device: 'Gerät', at: 'Zeit' },
  },
  recovery_requested: {
    title: 'Jemand will Ihr Konto wiederherstellen',
    lines: (said) => [
      'Jemand hat uns gesagt, jeden Weg zur Anmeldung in Ihrem Konto verloren zu haben, und will einen anderen einrichten.',
      said.time('until', (until) => `Vor dem ${until} geschieht nichts.`),
      'Waren Sie das nicht, dann melden Sie sich vorher an und lehnen es auf der Sicherheitsseite ab.',
    ],
  },
  recovery_done: {
    title: 'Ihr Konto wurde wiederhergestellt',
    lines: () => [
      'Ihre bisherigen Anmeldewege wurden entfernt, und alle Sitzungen sind beendet. Sie können jetzt einen anderen Weg einrichten.',
      NOT_YOU_DE,
    ],
    details: { at: 'Zeit' },
  },
  key_created: {
    title: 'Ein API-Schlüssel wurde erstellt',
    lines: () => ['Ein Programm darf jetzt in den Grenzen dieses Schlüssels für Ihr Konto handeln.', NOT_YOU_DE],
    details: { name: 'Schlüssel', at: 'Zeit' },
  },
  key_revoked: {
    title: 'Ein API-Schlüssel wurde widerrufen',
    lines: () => ['Programme mit diesem Schlüssel können nichts mehr tun.', NOT_YOU_DE],
    details: { name: 'Schlüssel', at: 'Zeit' },
  },
  kill_switch_pulled: {
    title: 'Der Notschalter Ihres Kontos wurde gezogen',
    lines: () => [
      'Alle Sitzungen, Tokens und API-Schlüssel Ihres Kontos sind beendet, und offene Aufträge werden gelöscht. Sie können sich wieder anmelden.',
      'Waren das weder Sie noch war es mit uns abgesprochen, schreiben Sie unserem Support.',
    ],
    details: { at: 'Zeit' },
  },
  withdrawal_asked: {
    title: 'Eine Auszahlung wurde beantragt',
    lines: () => ['Jemand hat eine Auszahlung von Ihrem Konto beantragt.', NOT_YOU_DE],
    details: { amount: 'Betrag', id: 'Nummer', at: 'Zeit' },
  },
  withdrawal_done: {
    title: 'Eine Auszahlung wurde ausgeführt',
    lines: () => ['Dieser Betrag hat Ihr Konto verlassen.', NOT_YOU_DE],
    details: { amount: 'Betrag', id: 'Nummer', at: 'Zeit' },
  },
  identity_decided: {
    title: 'Ihre Identität wurde geprüft',
    lines: () => [
      'Wir haben geprüft, was Sie über sich oder über die Gesellschaft, für die Sie handeln, eingereicht haben. Melden Sie sich an, um zu sehen, was das für Ihr Konto bedeutet.',
    ],
    details: { decision: 'Ergebnis', reason: 'Grund', until: 'Ihre Identität gilt bis' },
  },
  identity_ends: {
    title: 'Ihre Identitätsprüfung endet bald',
    lines: (said) => [
      said.time('until', (until) => `Was wir über Ihre Identität wissen, gilt bis zum ${until}.`),
      'Danach können Sie keine Aufträge mehr erteilen, und offene werden gelöscht, bis Sie Ihre Angaben noch einmal eingereicht haben.',
      said.line(
        'page',
        (page) =>
          `Das können Sie jetzt schon tun: Melden Sie sich an, halten Sie Ihre Dokumente bereit und öffnen Sie selbst ${page}. Was wir wissen, gilt bis zu seinem Ende oder bis zur neuen Entscheidung.`,
      ),
    ],
  },
  accreditation_decided: {
    title: 'Über Ihre Akkreditierung wurde entschieden',
    lines: () => [
      'Über Ihren Status als akkreditierter Anleger wurde entschieden. Melden Sie sich an, um zu sehen, was das für Ihr Konto bedeutet.',
    ],
    details: { decision: 'Ergebnis', reason: 'Grund', until: 'Gültig bis' },
  },
  accreditation_ends: {
    title: 'Ihre Akkreditierung endet bald',
    lines: (said) => [
      said.time('until', (until) => `Ihr Status als akkreditierter Anleger endet am ${until}.`),
      'Danach können Sie keine Wertpapiere mehr kaufen, die ihn verlangen. Melden Sie sich an, um ihn zu erneuern.',
    ],
  },
  endpoint_disabled: {
    title: 'Ein Webhook-Endpunkt wurde abgeschaltet',
    lines: () => [
      'An diesen Endpunkt senden wir nichts mehr. Was auf ihn wartete, wurde beiseitegelegt.',
      'Bringen Sie den Empfänger in Ordnung, schalten Sie den Endpunkt wieder ein und fordern Sie an, was ihm fehlt.',
    ],
    details: { url: 'Endpunkt', reason: 'Grund' },
  },
  action_waits: {
    title: 'Eine Kapitalmaßnahme wartet',
    lines: () => ['Eine Zahlung oder andere Maßnahme geht erst weiter, wenn ihr Geld da ist.'],
    details: { action: 'Maßnahme', security: 'Wertpapier', amount: 'Es fehlen' },
  },
  transfer_late: {
    title: 'Eine Übertragung wird bald überfällig',
    lines: () => ['Eine Übertragung von Wertpapieren wartet auf Sie und ist bald fällig.'],
    details: { transfer: 'Übertragung', security: 'Wertpapier', until: 'Fällig' },
  },
  order_filled: {
    title: 'Ihr Auftrag wurde ausgeführt',
    lines: () => ['Ihr Auftrag wurde ausgeführt.'],
    details: { side: 'Seite', quantity: 'Menge', market: 'Markt', price: 'Preis', order: 'Auftrag', at: 'Zeit' },
  },
  order_refused: {
    title: 'Ihr Auftrag wurde abgelehnt',
    lines: () => ['Ihr Auftrag wurde abgelehnt. Durch ihn wurde nichts gekauft oder verkauft.'],
    details: { side: 'Seite', quantity: 'Menge', market: 'Markt', reason: 'Grund', order: 'Auftrag', at: 'Zeit' },
  },
  allotment: {
    title: 'Ihre Zuteilung',
    lines: () => ['Ihnen wurden Anteile eines Angebots zugeteilt.'],
    details: { asset: 'Wert', quantity: 'Anteile', price: 'Preis', amount: 'Betrag' },
  },
  market_halted: {
    title: 'Ein Markt wurde angehalten',
    lines: () => [
      'In diesem Markt wird nicht gehandelt, bis er wieder geöffnet wird. Aufträge können Sie weiter löschen.',
    ],
    details: { market: 'Markt', reason: 'Grund', at: 'Zeit', until: 'Bis' },
  },
  approval_asked: {
    title: 'Ihre Zustimmung ist gefragt',
    lines: () => [
      'Eine andere Person im Betrieb bittet um eine zweite. Sehen Sie sich die Anfrage an, bevor Sie zustimmen.',
    ],
    details: { action: 'Vorgang', by: 'Gefragt von', until: 'Bis' },
  },
};

const TEXTS: Readonly<Record<MailLanguage, Readonly<Record<MailKind, Template>>>> = { en: EN, de: DE };

/** What a mail says. Its subject is its title: no fact stands in a subject, which phones show to bystanders. */
export function mailText(kind: MailKind, language: MailLanguage, facts: Facts): MailText {
  const template = TEXTS[language][kind];
  const said = new Said(facts, language);
  const details = Object.entries(template.details ?? {}).flatMap(([name, label]) => {
    const value = TIMES.has(name)
      ? said.time(name, (time) => time)
      : said.line(name, (fact) => valueIn(language, name, fact));
    return value === null ? [] : [[label, value] as const];
  });
  return {
    subject: template.title,
    title: template.title,
    lines: template.lines(said).filter((line) => line !== null),
    code: template.code === undefined ? null : said.fact(template.code),
    details,
  };
}

/** Said in the last mail that the limit of a kind lets through. */
export const LAST_MAIL: Readonly<Record<MailLanguage, string>> = {
  en: 'You have had as many mails of this kind as we send in a day, so there may be more that we do not mail. Sign in to see all of it.',
  de: 'Sie haben so viele E-Mails dieser Art bekommen, wie wir an einem Tag senden. Weiteres senden wir vorerst nicht. Melden Sie sich an, um alles zu sehen.',
};

/** What stands below every mail. */
export const MAIL_FOOTERS: Readonly<
  Record<MailLanguage, { readonly security: string; readonly preference: string; readonly unsubscribe: string }>
> = {
  en: {
    security:
      'This mail is about the security of your account or about the account itself, so it cannot be switched off. It has no link to sign in, on purpose.',
    preference:
      'You get this mail because it is switched on in your mail preferences. It has no link to sign in, on purpose.',
    unsubscribe: 'Stop mails of this kind',
  },
  de: {
    security:
      'Diese E-Mail betrifft die Sicherheit Ihres Kontos oder das Konto selbst und lässt sich deshalb nicht abbestellen. Sie enthält absichtlich keinen Link zur Anmeldung.',
    preference:
      'Sie erhalten diese E-Mail, weil sie in Ihren E-Mail-Einstellungen eingeschaltet ist. Sie enthält absichtlich keinen Link zur Anmeldung.',
    unsubscribe: 'E-Mails dieser Art abbestellen',
  },
};
