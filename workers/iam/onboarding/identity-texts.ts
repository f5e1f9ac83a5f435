import type { DocumentKind } from '../../../domain/onboarding/identity-documents.ts';
import type { FactName, FactProblem } from '../../../domain/onboarding/identity-facts.ts';
import type { IdentityState } from '../../../domain/onboarding/identity-state.ts';
import type { Language } from '../authorize/texts.ts';

interface IdentityTexts {
  readonly title: string;
  readonly facts: Readonly<Record<FactName, readonly [label: string, hint: string]>>;
  readonly address: string;
  readonly problems: Readonly<Record<FactProblem, string>>;
  readonly documents: Readonly<Record<DocumentKind | 'identity', string>>;
  readonly documentKind: string;
  readonly file: string;
  readonly fileHint: string;
  readonly selfieHint: string;
  readonly notADocument: string;
  readonly tooMany: string;
  readonly attest: string;
  readonly attestMissing: string;
  readonly review: string;
  readonly reviewHint: string;
  readonly change: (what: string) => string;
  readonly submit: string;
  readonly goOn: string;
  readonly states: Readonly<Record<Exclude<IdentityState, 'DRAFT'>, string>>;
  readonly reason: string;
  /** A day, of Unix milliseconds. */
  readonly day: (at: number) => string;
  readonly goodUntil: (day: string) => string;
  readonly renewFrom: (day: string) => string;
  readonly renewNow: string;
  readonly heldUntil: (day: string) => string;
  readonly toApplication: string;
  readonly toConsole: string;
  readonly toEntity: string;
  readonly toAccreditation: string;
  readonly toAccreditationHint: string;
  readonly signInFirst: string;
  readonly openAccount: string;
  readonly noAccount: string;
  readonly decidedElsewhere: string;
}

const dayIn = (locale: string) => (at: number) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at);

const en: IdentityTexts = {
  title: 'Who you are',
  facts: {
    legalName: ['Legal name', 'As it stands in your passport or driving licence.'],
    birthDate: ['Date of birth', 'Year, month, day. You have to be 18.'],
    country: ['Country', ''],
    street: ['Street and number', ''],
    city: ['City', ''],
    region: ['State or region', 'Of the US the state.'],
    postalCode: ['Postal code', ''],
    taxId: ['Tax id', 'Of the US a Social Security number or ITIN, with nine digits.'],
  },
  address: 'Where you live',
  problems: {
    malformed: 'This cannot be taken as it is written.',
    too_young: 'You have to be 18 years old.',
    country_not_served: 'People of this country are not served here.',
    country_sanctioned: 'The law forbids to serve people of this country.',
    tax_id_malformed: 'No tax id of your country looks like this.',
  },
  documents: {
    identity: 'Passport or driving licence',
    passport: 'Passport',
    driving_licence: 'Driving licence',
    proof_of_address: 'Proof of address',
    selfie: 'Picture of your face',
    articles: 'Articles, deed of trust or partnership agreement',
    good_standing: 'Certificate of good standing',
    authorisation: 'Authorisation: who may act for it',
  },
  documentKind: 'What it is',
  file: 'File',
  fileHint: 'JPEG, PNG or PDF, at most 10 MB.',
  selfieHint: 'JPEG or PNG, at most 10 MB.',
  notADocument: 'This file is no JPEG, PNG or PDF, or not the right kind. Choose another one.',
  tooMany: 'No more files can be taken. Ask the venue.',
  attest: 'Please confirm',
  attestMissing: 'Confirm each of these to go on.',
  review: 'Check and hand in',
  reviewHint: 'After that only the venue can give it back to you.',
  change: (what) => `Change: ${what}`,
  submit: 'Hand in',
  goOn: 'Continue',
  states: {
    SUBMITTED: 'Your identity is being checked. We write to you once it is decided.',
    IN_REVIEW: 'Somebody looks at your identity. We write to you once it is decided.',
    ASKED_BACK: 'Something else is needed. Change it, then hand it in again.',
    APPROVED: 'Your identity is confirmed. You may trade.',
    EXPIRED: 'What we know of you is out of date. Check it, then hand it in again. Until then you cannot place orders.',
    REFUSED: 'Your identity was not confirmed. You cannot trade here.',
  },
  reason: 'Why',
  day: dayIn('en-GB'),
  goodUntil: (day) => `It is good until ${day}.`,
  renewFrom: (day) => `From ${day} on you can renew it here.`,
  renewNow:
    'You can renew it now: check what stands here, show your documents once more, and hand it in. What is confirmed counts until its end, or until the new decision.',
  heldUntil: (day) => `What was confirmed before counts until ${day}, or until there is another decision.`,
  toApplication: 'Continue to the application',
  toConsole: 'Go to the exchange',
  toEntity: 'The account is for a company, a partnership, a trust or a fund',
  toAccreditation: 'Say that you are an accredited investor',
  toAccreditationHint: 'Some offerings are for accredited investors alone. You can also go on without.',
  signInFirst: 'Sign in first: go back to the application that you came from.',
  openAccount: 'No account yet? Open one',
  noAccount: 'You have no trading account that asks for your identity.',
  decidedElsewhere: 'The venue has decided on your identity already.',
};

const de: IdentityTexts = {
  title: 'Wer Sie sind',
  facts: {
    legalName: ['Vollständiger Name', 'So, wie er in Ihrem Pass oder Führerschein steht.'],
    birthDate: ['Geburtsdatum', 'Jahr, Monat, Tag. Sie müssen 18 sein.'],
    country: ['Land', ''],
    street: ['Straße und Hausnummer', ''],
    city: ['Ort', ''],
    region: ['Bundesstaat oder Region', 'In den USA der Bundesstaat.'],
    postalCode: ['Postleitzahl', ''],
    taxId: ['Steuernummer', 'In den USA die Social Security Number oder ITIN mit neun Ziffern.'],
  },
  address: 'Wo Sie wohnen',
  problems: {
    malformed: 'So, wie es geschrieben ist, geht es nicht.',
    too_young: 'Sie müssen 18 Jahre alt sein.',
    country_not_served: 'Menschen aus diesem Land werden hier nicht bedient.',
    country_sanctioned: 'Das Gesetz verbietet es, Menschen aus diesem Land zu bedienen.',
    tax_id_malformed: 'Keine Steuernummer Ihres Landes sieht so aus.',
  },
  documents: {
    identity: 'Pass oder Führerschein',
    passport: 'Pass',
    driving_licence: 'Führerschein',
    proof_of_address: 'Nachweis der Adresse',
    selfie: 'Bild Ihres Gesichts',
    articles: 'Satzung, Trust-Urkunde oder Gesellschaftsvertrag',
    good_standing: 'Bescheinigung über den Bestand',
    authorisation: 'Vollmacht: wer für sie handeln darf',
  },
  documentKind: 'Was es ist',
  file: 'Datei',
  fileHint: 'JPEG, PNG oder PDF, höchstens 10 MB.',
  selfieHint: 'JPEG oder PNG, höchstens 10 MB.',
  notADocument: 'Diese Datei ist kein JPEG, PNG oder PDF, oder nicht das Richtige. Wählen Sie eine andere.',
  tooMany: 'Es können keine weiteren Dateien angenommen werden. Fragen Sie den Handelsplatz.',
  attest: 'Bitte bestätigen',
  attestMissing: 'Bestätigen Sie jede dieser Aussagen, um weiterzumachen.',
  review: 'Prüfen und einreichen',
  reviewHint: 'Danach kann nur der Handelsplatz es Ihnen zurückgeben.',
  change: (what) => `Ändern: ${what}`,
  submit: 'Einreichen',
  goOn: 'Weiter',
  states: {
    SUBMITTED: 'Ihre Identität wird geprüft. Wir schreiben Ihnen, sobald entschieden ist.',
    IN_REVIEW: 'Jemand sieht sich Ihre Identität an. Wir schreiben Ihnen, sobald entschieden ist.',
    ASKED_BACK: 'Es wird noch etwas gebraucht. Ändern Sie es und reichen Sie es wieder ein.',
    APPROVED: 'Ihre Identität ist bestätigt. Sie dürfen handeln.',
    EXPIRED:
      'Was wir über Sie wissen, ist veraltet. Prüfen Sie es und reichen Sie es wieder ein. Bis dahin können Sie keine Aufträge erteilen.',
    REFUSED: 'Ihre Identität wurde nicht bestätigt. Sie können hier nicht handeln.',
  },
  reason: 'Warum',
  day: dayIn('de-DE'),
  goodUntil: (day) => `Das gilt bis zum ${day}.`,
  renewFrom: (day) => `Ab dem ${day} können Sie es hier erneuern.`,
  renewNow:
    'Sie können es jetzt erneuern: Prüfen Sie Ihre Angaben, zeigen Sie Ihre Dokumente noch einmal und reichen Sie alles ein. Was bestätigt ist, gilt bis zu seinem Ende oder bis zur neuen Entscheidung.',
  heldUntil: (day) => `Was vorher bestätigt wurde, gilt bis zum ${day} oder bis anders entschieden ist.`,
  toApplication: 'Weiter zur Anwendung',
  toConsole: 'Weiter zur Börse',
  toEntity: 'Das Konto ist für ein Unternehmen, eine Partnerschaft, einen Trust oder einen Fonds',
  toAccreditation: 'Sagen, dass Sie akkreditierter Anleger sind',
  toAccreditationHint: 'Einige Angebote sind nur für akkreditierte Anleger. Sie können auch ohne das weitergehen.',
  signInFirst: 'Melden Sie sich zuerst an: Gehen Sie zur Anwendung zurück, von der Sie kommen.',
  openAccount: 'Noch kein Konto? Konto eröffnen',
  noAccount: 'Sie haben kein Handelskonto, das nach Ihrer Identität fragt.',
  decidedElsewhere: 'Der Handelsplatz hat schon über Ihre Identität entschieden.',
};

export type { IdentityTexts };

export function identityTexts(language: Language): IdentityTexts {
  return { en, de }[language];
}
