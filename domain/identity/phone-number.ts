const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether a phone number is in E.164 form. */
export function isPhoneNumber(text: string): boolean {
  return E164.test(text);
}

/** What people put between digits, and what nobody sees. */
const BETWEEN = /[\s().\-/\p{Pd}\u2212\u00b7\p{Cf}]/gu;

/** Country codes of one and two digits; all others have three (ITU-T E.164). */
const SHORT_COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Countries whose numbers begin with a zero abroad as well: Italy, Ivory Coast, Burkina Faso, Niger, Benin, Gabon, Congo, San Marino. */
const KEEPS_ZERO: ReadonlySet<string> = new Set(['39', '225', '226', '227', '229', '241', '242', '378']);

/** Mexican mobile numbers had a digit of their own from abroad until 2019. */
const MEXICAN_MOBILE = /^521(?=\d{10}$)/;

/**
 * The one form in which a number is kept, however somebody has written it: E.164, without the zero that is dialled within a country alone. Null for what is no international number.
 */
export function phoneNumberOf(written: string): string | null {
  const digits = written.normalize('NFKC').replaceAll(BETWEEN, '').replace(/^00/, '+');
  if (!/^\+\d+$/.test(digits)) return null;
  const country = countryCodeOf(digits.slice(1));
  const national = digits.slice(1 + country.length);
  const abroad = KEEPS_ZERO.has(country) ? national : national.replace(/^0+/, '');
  const number = `+${`${country}${abroad}`.replace(MEXICAN_MOBILE, '52')}`;
  return isPhoneNumber(number) ? number : null;
}

/** The number as it is kept today, and how it may have been kept before there was one form: users of then are found by it. @param number of `phoneNumberOf` */
export function spellingsOf(number: string): [string, ...string[]] {
  const country = countryCodeOf(number.slice(1));
  const national = number.slice(1 + country.length);
  const before = KEEPS_ZERO.has(country) ? [] : [`+${country}0${national}`];
  return [number, ...before, ...(country === '52' ? [`+521${national}`] : [])];
}

function countryCodeOf(digits: string): string {
  return SHORT_COUNTRY_CODE.exec(digits)?.[0] ?? digits.slice(0, 3);
}
