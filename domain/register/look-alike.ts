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

/** Small letters of Cyrillic and Greek whose small or capital form looks like the Latin letter at the same place (Unicode TR #39). */
const TWINS = 'авеԁһнкморстухіјѕԛԝαβεζηικμνορτυχ';
const LATIN = 'abedhhkmopctyxijsqwabezhikmnoptyx';

const twins = new Map(Array.from(TWINS, (letter, at) => [letter, LATIN[at] as string]));

/** A text as it is stored and compared: letters with their accents composed (NFC, UAX #15), without spaces around it. */
export function composed(text: string): string {
  return text.normalize('NFC').trim();
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
 * What a reference looks like: two that differ and come to the same here are told apart by nobody. Width, case, kinds of spaces, dashes and
 * apostrophes, unseen characters and the twins of Latin letters count for nothing; accents and digits do.
 */
export function lookAlikeForm(text: string): string {
  return Array.from(
    text.normalize('NFKC').toUpperCase().toLowerCase().replace(ALL_UNSEEN, ''),
    (letter) => twins.get(letter) ?? letter,
  )
    .join('')
    .normalize('NFC')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\u2018\u2019\u02bc\u2032`´]/g, "'")
    .replace(/\s+/gu, ' ')
    .trim();
}
