/** Every text of the pages, in one place: each language has all of them. */
const en = {
  signIn: 'Sign in',
  signInTo: (name: string) => `Sign in to continue to ${name}`,
  phone: 'Phone number',
  phoneHint: 'With the country code, such as +14155550100',
  phoneWrong: 'Enter the number with + and the country code, and digits alone.',
  sendCode: 'Send code',
  code: 'Code',
  codeHint: (phone: string) => `If ${phone} is known here, it has a message with a code, good for five minutes.`,
  codeSoon: (seconds: number) =>
    `A code was asked for shortly before: it is good still. Another can be sent in ${seconds} seconds.`,
  codeWrong: 'The code is wrong, used or out of date.',
  goOn: 'Continue',
  withPasskey: 'Sign in with a passkey',
  orByCode: 'Or by a code to your phone',
  passkeyFailed: 'That did not work. Try again, or use a code to your phone.',
  passkeyKnown: 'This device has a passkey for you here already.',
  secondStep: 'Confirm that it is you',
  secondPasskey: 'You have a passkey here. Use it, or one of your recovery codes.',
  secondTotp: 'Use your authenticator app, or one of your recovery codes.',
  secondCode: 'Code of your app, or recovery code',
  secondCodeHint: 'After many wrong codes, enter two codes of your app that follow upon each other.',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'You have noted ten of them when you set this up. Each is good once.',
  secondWrong: 'The code is wrong, used or out of date.',
  secondLost: 'If you have lost all of it, ask the venue: an operator can begin a recovery, which takes 24 hours.',
  again: 'Confirm that it is you: sign in once more.',
  otherNumber: 'Use another number',
  signUp: 'No account yet? Open one',
  allowTitle: (name: string) => `Allow access for ${name}?`,
  asks: (name: string) => `${name} asks for access to your account.`,
  signedInAs: (name: string) => `You are signed in as ${name}.`,
  kinds: {
    venue: 'The venue has approved this application.',
    registered: 'Nobody has checked who this is, or its name. Go on only if you have just started it yourself.',
    document: 'This is what its own address says. The venue has not checked it.',
  },
  clientHost: 'Its address',
  answeredAt: 'You will be sent to',
  ownMachine: 'a program on this device',
  mayDo: 'It may:',
  scopes: {
    openid: 'know who you are here',
    profile: 'see your name',
    email: 'see your email address',
    phone: 'see your phone number',
    offline_access: 'keep this access while you are away, for 30 days at most, until you end it',
  },
  targets: {
    account: 'do all that you may do here yourself: orders, transfers and API keys',
    agent: 'use the trading tools for you, within the limits below. It can never withdraw money or change these limits',
    person: '',
  },
  limits: 'Limits',
  mayTrade: 'It may place and cancel orders, and not only read',
  symbols: 'Markets',
  symbolsHint: 'Symbols with commas in between, such as ACME-USD. Empty for all.',
  symbolsWrong: 'One of these is no market of yours.',
  dailyNotional: 'Most that its orders of a day may come to, in US dollars',
  dailyNotionalMissing: 'State an amount: whoever may trade has a limit.',
  dailyLoss: 'Most that it may lose in a day, in US dollars',
  dailyLossHint: 'Empty for no limit.',
  amountWrong: 'Enter an amount such as 1500 or 1500.50.',
  keysFull: 'You have as many API keys as an account may have. Revoke one first.',
  noAccount: 'You have no trading account that an agent could act for.',
  allow: 'Allow',
  deny: 'Do not allow',
  signOutTitle: 'Sign out?',
  signOutAsked: 'Do you want to sign out here?',
  signOutAskedBy: (name: string) => `${name} asks whether you want to sign out here.`,
  signOut: 'Sign out',
  staySignedIn: 'Stay signed in',
  signedOutTitle: 'You are signed out',
  signedOut: 'This browser is not signed in any more. Other applications may go on until you sign out there.',
  stillSignedInTitle: 'You are still signed in',
  stillSignedIn: 'Nothing was changed. You can close this page.',
  goTo: (place: string) => `Go to ${place}`,
  errorTitle: 'This did not work',
  errors: {
    request: 'The application has sent you here with a request that cannot be read. Go back to it and begin again.',
    client:
      'The application is not known here, or has no right to be answered at the address that it names. You were not sent there.',
    form: 'This form is out of date. Go back to the application and begin again.',
    limited: 'Too many requests. Wait a minute, then try again.',
    unavailable: 'This does not work at the moment. Try again in a minute.',
    withoutPage: 'The application wants no page to be shown, but you have to sign in first.',
  },
};

export type Texts = typeof en;

const de: Texts = {
  signIn: 'Anmelden',
  signInTo: (name) => `Anmelden, um bei ${name} weiterzumachen`,
  phone: 'Telefonnummer',
  phoneHint: 'Mit Landesvorwahl, zum Beispiel +4915112345678',
  phoneWrong: 'Geben Sie die Nummer mit + und Landesvorwahl ein, sonst nur Ziffern.',
  sendCode: 'Code senden',
  code: 'Code',
  codeHint: (phone) => `Wenn ${phone} hier bekannt ist, hat sie eine Nachricht mit einem Code. Er gilt fünf Minuten.`,
  codeSoon: (seconds) =>
    `Ein Code wurde vor Kurzem angefordert und gilt noch. Ein weiterer kann in ${seconds} Sekunden gesendet werden.`,
  codeWrong: 'Der Code ist falsch, verbraucht oder abgelaufen.',
  goOn: 'Weiter',
  withPasskey: 'Mit einem Passkey anmelden',
  orByCode: 'Oder mit einem Code an Ihr Telefon',
  passkeyFailed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal, oder lassen Sie sich einen Code schicken.',
  passkeyKnown: 'Dieses Gerät hat hier schon einen Passkey für Sie.',
  secondStep: 'Bestätigen Sie, dass Sie es sind',
  secondPasskey: 'Sie haben hier einen Passkey. Benutzen Sie ihn oder einen Ihrer Wiederherstellungscodes.',
  secondTotp: 'Benutzen Sie Ihre Authenticator-App oder einen Ihrer Wiederherstellungscodes.',
  secondCode: 'Code Ihrer App oder Wiederherstellungscode',
  secondCodeHint: 'Nach vielen falschen Codes geben Sie zwei Codes Ihrer App ein, die aufeinander folgen.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Zehn davon haben Sie sich beim Einrichten notiert. Jeder gilt einmal.',
  secondWrong: 'Der Code ist falsch, verbraucht oder abgelaufen.',
  secondLost:
    'Haben Sie alles verloren, wenden Sie sich an den Handelsplatz: Er kann eine Wiederherstellung beginnen, die 24 Stunden dauert.',
  again: 'Bestätigen Sie, dass Sie es sind: Melden Sie sich noch einmal an.',
  otherNumber: 'Andere Nummer verwenden',
  signUp: 'Noch kein Konto? Konto eröffnen',
  allowTitle: (name) => `Zugriff für ${name} erlauben?`,
  asks: (name) => `${name} möchte Zugriff auf Ihr Konto.`,
  signedInAs: (name) => `Sie sind angemeldet als ${name}.`,
  kinds: {
    venue: 'Der Handelsplatz hat diese Anwendung zugelassen.',
    registered:
      'Niemand hat geprüft, wer das ist und ob der Name stimmt. Machen Sie nur weiter, wenn Sie sie gerade selbst gestartet haben.',
    document: 'So steht es unter ihrer eigenen Adresse. Der Handelsplatz hat es nicht geprüft.',
  },
  clientHost: 'Adresse der Anwendung',
  answeredAt: 'Sie werden weitergeleitet an',
  ownMachine: 'ein Programm auf diesem Gerät',
  mayDo: 'Die Anwendung darf:',
  scopes: {
    openid: 'wissen, wer Sie hier sind',
    profile: 'Ihren Namen sehen',
    email: 'Ihre E-Mail-Adresse sehen',
    phone: 'Ihre Telefonnummer sehen',
    offline_access: 'den Zugriff behalten, während Sie weg sind, höchstens 30 Tage lang, bis Sie ihn beenden',
  },
  targets: {
    account: 'alles tun, was Sie hier selbst dürfen: Aufträge, Übertragungen und API-Schlüssel',
    agent:
      'die Handelswerkzeuge für Sie benutzen, in den Grenzen unten. Die Anwendung kann nie Geld abheben und diese Grenzen nicht ändern',
    person: '',
  },
  limits: 'Grenzen',
  mayTrade: 'Die Anwendung darf Aufträge erteilen und streichen, nicht nur lesen',
  symbols: 'Märkte',
  symbolsHint: 'Symbole mit Kommas dazwischen, zum Beispiel ACME-USD. Leer für alle.',
  symbolsWrong: 'Eines davon ist kein Markt für Sie.',
  dailyNotional: 'Höchstbetrag ihrer Aufträge an einem Tag, in US-Dollar',
  dailyNotionalMissing: 'Nennen Sie einen Betrag: Wer handeln darf, hat eine Grenze.',
  dailyLoss: 'Höchster Verlust an einem Tag, in US-Dollar',
  dailyLossHint: 'Leer für keine Grenze.',
  amountWrong: 'Geben Sie einen Betrag wie 1500 oder 1500,50 ein.',
  keysFull: 'Sie haben so viele API-Schlüssel, wie ein Konto haben darf. Widerrufen Sie zuerst einen.',
  noAccount: 'Sie haben kein Handelskonto, für das ein Agent handeln könnte.',
  allow: 'Erlauben',
  deny: 'Nicht erlauben',
  signOutTitle: 'Abmelden?',
  signOutAsked: 'Möchten Sie sich hier abmelden?',
  signOutAskedBy: (name) => `${name} fragt, ob Sie sich hier abmelden möchten.`,
  signOut: 'Abmelden',
  staySignedIn: 'Angemeldet bleiben',
  signedOutTitle: 'Sie sind abgemeldet',
  signedOut:
    'Dieser Browser ist nicht mehr angemeldet. Andere Anwendungen laufen möglicherweise weiter, bis Sie sich dort abmelden.',
  stillSignedInTitle: 'Sie sind noch angemeldet',
  stillSignedIn: 'Es wurde nichts geändert. Sie können diese Seite schließen.',
  goTo: (place) => `Weiter zu ${place}`,
  errorTitle: 'Das hat nicht geklappt',
  errors: {
    request:
      'Die Anwendung hat Sie mit einer Anfrage geschickt, die nicht lesbar ist. Gehen Sie zu ihr zurück und beginnen Sie neu.',
    client:
      'Die Anwendung ist hier nicht bekannt oder darf unter der Adresse, die sie nennt, keine Antwort bekommen. Sie wurden nicht dorthin geleitet.',
    form: 'Dieses Formular ist veraltet. Gehen Sie zur Anwendung zurück und beginnen Sie neu.',
    limited: 'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es noch einmal.',
    unavailable: 'Das geht im Moment nicht. Versuchen Sie es in einer Minute noch einmal.',
    withoutPage: 'Die Anwendung will, dass keine Seite gezeigt wird, aber Sie müssen sich erst anmelden.',
  },
};

const LANGUAGES = { en, de } as const;

export type Language = keyof typeof LANGUAGES;

export function textsIn(language: Language): Texts {
  return LANGUAGES[language];
}

/** The first language of `Accept-Language` that there are texts in, English where there is none. Browsers list the one they like best first. */
export function languageOf(accepted: string | undefined): Language {
  for (const range of (accepted ?? '').split(',').slice(0, 20)) {
    const tag = range.trim().slice(0, 2).toLowerCase();
    if (tag === 'en' || tag === 'de') return tag;
  }
  return 'en';
}
