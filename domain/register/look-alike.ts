/**
 * Characters that nobody sees: zero-width spaces, joiners, soft hyphens, variation selectors (Unicode, Default_Ignorable_Code_Point), and the empty
 * pattern of Braille.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
const ALL_UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Two of them, joiners, are letters' own in Persian and the scripts of India: a name may have one behind a letter or mark of these. */
const JOINED_SCRIPTS = [
  'Arabic',
  'Syriac',
  'Nko',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Myanmar',
  'Khmer',
  'Tibetan',
];
const JOINED = JOINED_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('');
const UNSEEN_IN_NAMES = new RegExp(
  `[^\\P{Default_Ignorable_Code_Point}\\u200c\\u200d]|\\u2800|(?<![${JOINED}])[\\u200c\\u200d]`,
  'u',
);
/** Marks alone sit on nothing. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Letters of Cyrillic, Greek, Armenian, phonetics, Cherokee, Lisu and Coptic that look like Latin letters (Unicode TR #39), each form for itself: a small nu is a v, a capital one an N. Small Cyrillic
 * letters that look like small capitals count as those.
 */
const TWINS: ReadonlyMap<string, string> = new Map(
  [
    ['авеԁһкмнорстухіјѕԛԝӏѵьԍүзӡ', 'abedhkmhopctyxijsqwlvbgy33'],
    ['АВЕԀҺКМНОРСТУХІЈЅԚԜӀѴЬԌҮЗӠ', 'abedhkmhopctyxijsqwivbgy33'],
    ['αβεζηικμνορτυχϲ', 'abeznikmvoptuxc'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ', 'abezhikmnoptyxc'],
    ['օՕհոսՍզցյ', 'oohnuuqgj'],
    ['ɑⱭɡꞬɩ', 'aaggi'],
    // A d with a stroke, eth, and the African d, whose capital forms are alike.
    ['ĐÐƉðɖ', 'đđđđđ'],
    ['ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏒᏚᎢᏙᎳᎩᏃ', 'abcdeghjklmprrstvwyz'],
    ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'abcdefghijklmnoprstuvwxyz'],
    ['ⲀⲂⲤⲎⲒⲔⲘⲚⲞⲢⲦⲬⲨⲟⲥⲣⲭ', 'abchikmnoptxyocpx'],
  ].flatMap(([letters = '', latin = '']) =>
    Array.from(letters, (letter, at): [string, string] => [letter, latin[at] as string]),
  ),
);

/** Signs, with those that look like them. */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  ['-', /[\p{Pd}\u2212\u2043\u02d7\u2796]/gu],
  ["'", /[\u2018\u2019\u201b\u02b9\u02bb-\u02bd\u02ca\u02cb\u2032\u2035\u055a\u05f3\ua78c\uff07\uff40`´]/gu],
  ["''", /["\u201c-\u201f\u02ba\u02dd\u02ee\u2033\u2036\u3003\u05f4\uff02]/gu],
  ['/', /[\u2044\u2215\u2571\u29f8\uff0f]/gu],
  ['\\', /[\u2216\u29f5\u29f9\ufe68\uff3c]/gu],
  [':', /[\u02d0\u02f8\u0589\u05c3\u2236\ua789\ufe55\uff1a]/gu],
  [',', /[\u201a\u02cc\u060d\u066b\uff0c]/gu],
  ['~', /[\u02dc\u223c\u223d]/gu],
  ['*', /[\u204e\u2217\uff0a]/gu],
  ['|', /[\u01c0\u2223\uff5c]/gu],
];

/** A text as it is stored and compared: letters with their accents composed (NFC, UAX #15), without spaces around it. */
export function composed(text: string): string {
  return text.normalize('NFC').trim();
}

/** Whether anybody sees something of a text. */
export function isSeen(text: string): boolean {
  return SEEN.test(text.replace(ALL_UNSEEN, ''));
}

/** Whether a reference or number has a character that nobody sees. */
export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

/** Whether a name has one that is no part of any script, or nothing that anybody sees. */
export function hasUnseenInName(text: string): boolean {
  return UNSEEN_IN_NAMES.test(text) || !SEEN.test(text);
}

/**
 * What a reference looks like: two that differ and come to the same here are told apart by nobody. Width, case, kinds of spaces, dashes, slashes, colons and
 * quotes, unseen characters and the twins of Latin letters count for nothing; accents and digits do.
 */
export function lookAlikeForm(text: string): string {
  // Of plain letters, nearly all references are, the steps below come to this, at a tenth of their time.
  if (PLAIN.test(text)) return text.replaceAll('`', "'").replaceAll('"', "''").toLowerCase().replace(/ +/g, ' ').trim();
  // Before compatible forms are taken: those make a sigma of a lunate one, and a space of an accent that stands alone.
  const seen = likeLatin(text.normalize('NFD')).replace(ALL_UNSEEN, '');
  const like = likeLatin(likeSigns(seen).normalize('NFKD').replaceAll('ẞ', 'ß'));
  return likeSigns(like.toUpperCase().toLowerCase())
    .replace(ALL_UNSEEN, '')
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim();
}

const PLAIN = /^[\x20-\x7e]*$/;

function likeLatin(text: string): string {
  return Array.from(text, (letter) => TWINS.get(letter) ?? letter).join('');
}

function likeSigns(text: string): string {
  let like = text;
  for (const [sign, kinds] of SIGNS) like = like.replace(kinds, sign);
  return like;
}
