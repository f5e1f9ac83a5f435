import type { Vault } from '../chain-adapter.ts';

/** What a token's amount looks like to the ledger. */
export interface IssuedAmount {
  readonly currency: string;
  readonly issuer: string;
  readonly value: string;
}

/** More digits than a token's amount holds would be lost in a balance. */
export const ISSUED_UNITS_MAX = 10n ** 15n;
/** The ledger keeps 15 digits of a token's amount, whole ones included. */
export const ISSUED_DECIMALS_MAX = 12;
/** All XRP there are, in drops. */
export const DROPS_MAX = 10n ** 17n;

const CURRENCY = /^([A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|[0-9A-F]{40})$/;

/**
 * A token is named `CURRENCY.ISSUER`, its currency three characters or 40 hexadecimal digits.
 *
 * @throws RangeError where it is not
 */
export function issuedToken(token: string): { readonly currency: string; readonly issuer: string } {
  const [currency, issuer, ...rest] = token.split('.');
  if (
    currency === undefined ||
    issuer === undefined ||
    rest.length > 0 ||
    !CURRENCY.test(currency) ||
    currency === 'XRP'
  )
    throw new RangeError('a token of the XRP Ledger is named CURRENCY.ISSUER');
  return { currency, issuer };
}

/** Units as the ledger writes them: drops, or a decimal of the token. */
export function xrplAmount({ token, decimals }: Vault, units: bigint): string | IssuedAmount {
  if (token === null) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return { ...issuedToken(token), value: part === '' ? whole : `${whole}.${part}` };
}

/** Units of an amount of the vault's asset; null where it is of another. What is less than a unit does not count. */
export function xrplUnits({ token, decimals }: Vault, amount: unknown): bigint | null {
  if (token === null) return typeof amount === 'string' && /^[0-9]{1,18}$/.test(amount) ? BigInt(amount) : null;
  if (typeof amount !== 'object' || amount === null) return null;
  const { currency, issuer, value } = amount as Partial<IssuedAmount>;
  const expected = issuedToken(token);
  if (currency !== expected.currency || issuer !== expected.issuer || typeof value !== 'string') return null;
  return unitsOfDecimal(value, decimals);
}

/** Of a decimal as the ledger writes it, with an exponent or without; null where it is none, or negative. */
export function unitsOfDecimal(text: string, decimals: number): bigint | null {
  const found = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,3}))?$/.exec(text);
  if (found === null) return null;
  const [, whole = '', part = '', exponent = '0'] = found;
  const shift = decimals + Number(exponent) - part.length;
  const digits = BigInt(whole + part);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}
