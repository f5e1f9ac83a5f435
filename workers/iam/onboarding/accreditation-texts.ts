import { ATTESTATION, ATTESTATION_IN_GERMAN } from '../../../domain/accreditation/attestation-text.ts';
import type { EvidenceKind } from '../../../domain/accreditation/evidence.ts';
import type { VerificationState } from '../../../domain/accreditation/verification.ts';
import type { Language } from '../authorize/texts.ts';

/** How it is known that somebody is accredited. */
export type Standing = 'none' | 'self' | 'verified' | 'expired';

export interface AccreditationTexts {
  readonly title: string;
  readonly lede: string;
  readonly optional: string;
  readonly standing: Readonly<Record<Standing, string>>;
  readonly until: (day: string) => string;
  readonly ended: (day: string, reason: string) => string;
  readonly needsIdentity: string;
  readonly toIdentity: string;
  readonly certify: string;
  readonly certifyHint: string;
  /** What is certified, as it can be read. */
  readonly attestation: string;
  /** Which text counts; empty where it is the one that is read. */
  readonly attestationHint: string;
  readonly isTrue: string;
  readonly notTicked: string;
  readonly certifyNow: string;
  readonly verify: string;
  readonly verifyHint: string;
  readonly evidence: string;
  readonly evidenceKinds: Readonly<Record<EvidenceKind, string>>;
  readonly askNow: string;
  readonly requests: Readonly<Record<VerificationState, string>>;
  readonly lastRequest: (day: string) => string;
  readonly nobodyVerifies: string;
  readonly problems: Readonly<Record<'away' | 'tooMany' | 'changed', string>>;
}

const en: AccreditationTexts = {
  title: 'Accredited investors',
  lede: 'Some offerings are for accredited investors alone (17 CFR 230.501(a)). If you are one, you can say so here.',
  optional: 'You need not: everything that is open to all investors is open to you without it.',
  standing: {
    none: 'You are not known as an accredited investor.',
    self: 'You have certified that you are an accredited investor. It opens offerings under Rule 506(b).',
    verified:
      'A third party has verified that you are an accredited investor. It opens offerings under Rule 506(b) and Rule 506(c).',
    expired: 'That you are an accredited investor was verified, and is out of date.',
  },
  until: (day) => `It is good until ${day}.`,
  ended: (day, reason) =>
    `The venue has ended your accreditation on ${day}: ${reason}. You cannot certify it yourself; a verification that you ask for waits until the venue allows it.`,
  needsIdentity: 'First it has to be confirmed who you are. Once that is so, you can come back here.',
  toIdentity: 'See where that stands',
  certify: 'Certify it yourself',
  certifyHint: 'It counts at once. It opens offerings under Rule 506(b), not those under Rule 506(c).',
  attestation: ATTESTATION.text,
  attestationHint: '',
  isTrue: 'I have read this, and it is true of me.',
  notTicked: 'Tick this to certify it, or go on without.',
  certifyNow: 'Certify',
  verify: 'Have it verified',
  verifyHint:
    'A third party looks at your documents, which you give to it and not to us. It takes days, and opens offerings under Rule 506(c) as well. One request at a time, ten in 30 days.',
  evidence: 'What it goes by',
  evidenceKinds: {
    income: 'Your income of the last two years',
    net_worth: 'What you own and owe',
    professional_letter: 'A letter of a lawyer, accountant, broker or adviser',
    earlier_verification: 'An earlier verification that still holds',
  },
  askNow: 'Ask for a verification',
  requests: {
    IN_REVIEW: 'It waits for the venue.',
    REQUESTED: 'It is with the third party. We write to you once it has answered.',
    VERIFIED: 'You were verified.',
    REFUSED: 'You were not verified.',
    REVOKED: 'The verification was taken back.',
    EXPIRED: 'It is over, or there was no answer in time.',
  },
  lastRequest: (day) => `Your last request for a verification, of ${day}:`,
  nobodyVerifies: 'Nobody verifies accredited investors here at present.',
  problems: {
    away: 'That did not go through. Send it once more.',
    tooMany: 'There were ten requests within 30 days. Ask again later.',
    changed: 'The text has changed meanwhile. Read it once more.',
  },
};

const de: AccreditationTexts = {
  title: 'Akkreditierte Anleger',
  lede: 'Einige Angebote sind nur für akkreditierte Anleger (17 CFR 230.501(a)). Wenn Sie einer sind, können Sie es hier sagen.',
  optional: 'Sie müssen nicht: Alles, was allen Anlegern offensteht, steht Ihnen auch ohne das offen.',
  standing: {
    none: 'Sie sind nicht als akkreditierter Anleger bekannt.',
    self: 'Sie haben bestätigt, dass Sie akkreditierter Anleger sind. Es öffnet Angebote nach Rule 506(b).',
    verified:
      'Ein Dritter hat geprüft, dass Sie akkreditierter Anleger sind. Es öffnet Angebote nach Rule 506(b) und Rule 506(c).',
    expired: 'Dass Sie akkreditierter Anleger sind, war geprüft und ist veraltet.',
  },
  until: (day) => `Das gilt bis zum ${day}.`,
  ended: (day, reason) =>
    `Der Handelsplatz hat Ihre Akkreditierung am ${day} beendet: ${reason}. Sie können es nicht selbst bestätigen; eine Prüfung, die Sie anfordern, wartet, bis der Handelsplatz sie zulässt.`,
  needsIdentity: 'Zuerst muss bestätigt sein, wer Sie sind. Sobald das so ist, können Sie hierher zurückkommen.',
  toIdentity: 'Nachsehen, wo das steht',
  certify: 'Selbst bestätigen',
  certifyHint: 'Es gilt sofort. Es öffnet Angebote nach Rule 506(b), nicht jene nach Rule 506(c).',
  attestation: ATTESTATION_IN_GERMAN,
  attestationHint: 'Bestätigt wird der englische Text:',
  isTrue: 'Ich habe das gelesen, und es trifft auf mich zu.',
  notTicked: 'Setzen Sie hier ein Häkchen, um es zu bestätigen, oder gehen Sie ohne weiter.',
  certifyNow: 'Bestätigen',
  verify: 'Prüfen lassen',
  verifyHint:
    'Ein Dritter sieht Ihre Unterlagen an, die Sie ihm geben und nicht uns. Es dauert Tage und öffnet auch Angebote nach Rule 506(c). Eine Anfrage zur Zeit, zehn in 30 Tagen.',
  evidence: 'Worauf sie sich stützt',
  evidenceKinds: {
    income: 'Ihr Einkommen der letzten zwei Jahre',
    net_worth: 'Was Sie besitzen und schulden',
    professional_letter: 'Ein Schreiben von Anwalt, Steuerberater, Broker oder Berater',
    earlier_verification: 'Eine frühere Prüfung, die noch gilt',
  },
  askNow: 'Prüfung anfordern',
  requests: {
    IN_REVIEW: 'Sie wartet auf den Handelsplatz.',
    REQUESTED: 'Sie liegt beim Dritten. Wir schreiben Ihnen, sobald er geantwortet hat.',
    VERIFIED: 'Es wurde bestätigt.',
    REFUSED: 'Es wurde nicht bestätigt.',
    REVOKED: 'Die Prüfung wurde zurückgenommen.',
    EXPIRED: 'Sie ist vorbei, oder es kam keine Antwort in der Zeit.',
  },
  lastRequest: (day) => `Ihre letzte Anfrage nach einer Prüfung, vom ${day}:`,
  nobodyVerifies: 'Zurzeit prüft hier niemand akkreditierte Anleger.',
  problems: {
    away: 'Das ging nicht durch. Senden Sie es noch einmal.',
    tooMany: 'Es gab zehn Anfragen in 30 Tagen. Fragen Sie später wieder.',
    changed: 'Der Text hat sich inzwischen geändert. Lesen Sie ihn noch einmal.',
  },
};

export function accreditationTexts(language: Language): AccreditationTexts {
  return { en, de }[language];
}
