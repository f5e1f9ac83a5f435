import type { Language } from '../authorize/texts.ts';

/** Every text of the sign-up pages: each language has all of them. */
const en = {
  title: 'Open an account',
  step: (at: number, of: number) => `Question ${at} of ${of}`,
  mail: 'Email address',
  mailHint: 'We send a code to it.',
  mailWrong: 'Enter an email address such as name@example.com.',
  sendCode: 'Send code',
  mailCode: 'Code from the email',
  mailCodeHint: (mail: string) => `We have sent a message to ${mail}. Its code is good for 15 minutes.`,
  mailCodeWrong: 'The code is wrong, used or out of date. After five tries another one is needed.',
  again: 'Send another code',
  tooSoon: 'No other code can be sent now. Wait a minute; after three codes begin again.',
  otherMail: 'Use another email address',
  name: 'Your name',
  nameHint: 'As it stands in your passport or driving licence.',
  nameWrong: 'Enter your name in letters, 120 characters at most.',
  phone: 'Phone number',
  phoneHint: 'With the country code, such as +14155550100. You sign in with it.',
  phoneWrong: 'Enter the number with + and the country code, and digits alone.',
  phoneLimited: 'No more codes can be sent now. Try again tomorrow.',
  phoneCode: 'Code from the message',
  phoneCodeHint: (phone: string) => `We have sent a message to ${phone}. Its code is good for five minutes.`,
  phoneCodeWrong: 'The code is wrong, used or out of date.',
  otherPhone: 'Use another number',
  goOn: 'Continue',
  finishTitle: 'Almost done',
  finish: 'Everything is confirmed. Open the account now.',
  open: 'Open account',
  taken: 'This number or email address has an account already. Sign in with it.',
  closedTitle: 'No sign-up here',
  closed: 'Accounts are not opened here by yourself. Ask the venue.',
  limitedTitle: 'Try again later',
  limited: 'Too many accounts are being opened from here, or with this address. Try again in an hour.',
};

export type SignUpTexts = typeof en;

const de: SignUpTexts = {
  title: 'Konto eröffnen',
  step: (at, of) => `Frage ${at} von ${of}`,
  mail: 'E-Mail-Adresse',
  mailHint: 'Wir senden einen Code an diese Adresse.',
  mailWrong: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
  sendCode: 'Code senden',
  mailCode: 'Code aus der E-Mail',
  mailCodeHint: (mail) => `Wir haben eine Nachricht an ${mail} gesendet. Der Code darin gilt 15 Minuten.`,
  mailCodeWrong: 'Der Code ist falsch, verbraucht oder abgelaufen. Nach fünf Versuchen brauchen Sie einen anderen.',
  again: 'Anderen Code senden',
  tooSoon:
    'Im Moment kann kein weiterer Code gesendet werden. Warten Sie eine Minute; nach drei Codes beginnen Sie neu.',
  otherMail: 'Andere E-Mail-Adresse verwenden',
  name: 'Ihr Name',
  nameHint: 'So, wie er in Ihrem Pass oder Führerschein steht.',
  nameWrong: 'Geben Sie Ihren Namen in Buchstaben ein, höchstens 120 Zeichen.',
  phone: 'Telefonnummer',
  phoneHint: 'Mit Landesvorwahl, zum Beispiel +4915112345678. Damit melden Sie sich an.',
  phoneWrong: 'Geben Sie die Nummer mit + und Landesvorwahl ein, sonst nur Ziffern.',
  phoneLimited: 'Im Moment können keine Codes mehr gesendet werden. Versuchen Sie es morgen wieder.',
  phoneCode: 'Code aus der Nachricht',
  phoneCodeHint: (phone) => `Wir haben eine Nachricht an ${phone} gesendet. Der Code darin gilt fünf Minuten.`,
  phoneCodeWrong: 'Der Code ist falsch, verbraucht oder abgelaufen.',
  otherPhone: 'Andere Nummer verwenden',
  goOn: 'Weiter',
  finishTitle: 'Fast fertig',
  finish: 'Alles ist bestätigt. Eröffnen Sie jetzt das Konto.',
  open: 'Konto eröffnen',
  taken: 'Diese Nummer oder E-Mail-Adresse hat schon ein Konto. Melden Sie sich damit an.',
  closedTitle: 'Hier keine Kontoeröffnung',
  closed: 'Konten werden hier nicht selbst eröffnet. Fragen Sie den Handelsplatz.',
  limitedTitle: 'Später noch einmal',
  limited:
    'Von hier oder mit dieser Adresse werden zu viele Konten eröffnet. Versuchen Sie es in einer Stunde noch einmal.',
};

export function signUpTexts(language: Language): SignUpTexts {
  return { en, de }[language];
}
