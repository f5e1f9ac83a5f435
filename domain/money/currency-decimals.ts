/** ISO 4217: codes of currencies that are paid with in two decimals. */
const HUNDREDTHS =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG';
/** Those of none, three and four. */
const OTHERS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const DECIMALS: ReadonlyMap<string, number> = new Map(
  [[2, HUNDREDTHS] as const, ...Object.entries(OTHERS)].flatMap(([decimals, codes]) =>
    codes.split(' ').map((code) => [code, Number(decimals)] as const),
  ),
);

/** Whether ISO 4217 has a currency of this code. */
export function isCurrency(code: string): boolean {
  return DECIMALS.has(code);
}

/**
 * Decimals in which an amount of a currency leaves the venue: the minor unit of ISO 4217, whatever more the venue counts inside. What is no currency of the
 * list has all that are counted.
 *
 * @param scale decimals that the venue counts
 */
export function currencyDecimals(symbol: string, scale: number): number {
  return Math.min(scale, DECIMALS.get(symbol) ?? scale);
}
