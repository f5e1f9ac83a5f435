/** By which a spreadsheet knows a formula, with the wide forms that some turn into these. */
const SIGN = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';
/** What spreadsheets of some country divide cells or rows by, beside the comma, where a quotation does not hold. */
const DIVIDER = /[;|\t\r\n]/;
/** Dividers, blanks and what nobody sees, which some drop before they look for the sign, and apostrophes. */
const BEFORE_SIGN = "[;|'\\s\\p{Default_Ignorable_Code_Point}]";
const BEGINS_FORMULA = new RegExp(`^(?:'*[\\t\\r\\n]|${BEFORE_SIGN}*${SIGN})`, 'u');
/** Each character of a text is looked at once. */
const PARTS = new RegExp(`(${BEFORE_SIGN}*)(${BEFORE_SIGN.replace('[', '[^')}|$)`, 'gu');
const IS_SIGN = new RegExp(SIGN);

/**
 * A text that no spreadsheet takes for a formula, wherever it divides cells: an apostrophe stands at its beginning, and before each sign behind a divider, one
 * more than the text has there. So `armed` gives the same text back.
 */
export function disarmed(text: string): string {
  const inner = changedBehindDividers(text, (before) => `${before}'`);
  return BEGINS_FORMULA.test(text) ? `'${inner}` : inner;
}

/** A text as it was before it was disarmed. */
export function armed(text: string): string {
  const whole = text.startsWith("'") && BEGINS_FORMULA.test(text.slice(1)) ? text.slice(1) : text;
  return changedBehindDividers(whole, (before) => before.replace(/'$/, ''));
}

function changedBehindDividers(text: string, change: (before: string) => string): string {
  return text.replaceAll(PARTS, (part, before: string, next: string) =>
    IS_SIGN.test(next) && DIVIDER.test(before) ? `${change(before)}${next}` : part,
  );
}
