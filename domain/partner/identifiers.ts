const CUSIP = /^[0-9A-Z*@#]{8}\d$/;
const ISIN = /^[A-Z]{2}[0-9A-Z]{9}\d$/;

/** The value of a character of a CUSIP (ANSI X9.6): digits, letters from 10 on, then `*`, `@` and `#`. */
function worthOf(character: string): number {
  return '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#'.indexOf(character);
}

/** Nine characters, the last a check digit: every second value is doubled, the digits of all are summed. */
export function isCusip(text: string): boolean {
  if (!CUSIP.test(text)) return false;
  let sum = 0;
  for (let at = 0; at < 8; at++) {
    const value = worthOf(text.charAt(at)) * (at % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10 === Number(text.charAt(8));
}

/** Twelve characters (ISO 6166): letters as two digits, then the check of Luhn. */
export function isIsin(text: string): boolean {
  if (!ISIN.test(text)) return false;
  const digits = [...text].map(worthOf).join('');
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.charAt(digits.length - 1 - at)) * (at % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Whether an ISIN names another security than a CUSIP: those of the United States and Canada contain it. */
export function contradicts(isin: string, cusip: string): boolean {
  return /^(US|CA)/.test(isin) && isin.slice(2, 11) !== cusip;
}

export const CONTRADICTION = 'an ISIN of the United States or Canada contains the CUSIP, and this one has another';
