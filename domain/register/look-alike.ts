/** Characters that nobody sees (Unicode, Default_Ignorable_Code_Point): zero-width spaces, joiners, soft hyphens, variation selectors. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
const ALL_UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Two of them are letters' own in Persian and the scripts of India: a name may have them. */
const UNSEEN_IN_NAMES = /[^\P{Default_Ignorable_Code_Point}\u200c\u200d]/u;

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

/** Whether a name has one that is no part of any script. */
export function hasUnseenInName(text: string): boolean {
  return UNSEEN_IN_NAMES.test(text);
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
