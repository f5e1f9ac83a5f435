/**
 * The symbols of the assets that a market trades. A market's symbol is `<BASE>-<QUOTE>` (X-BRQ-01); a base may have a hyphen of its own.
 */
export function assetSymbolsOf(symbol: string): readonly [base: string, quote: string] {
  const hyphen = symbol.lastIndexOf('-');
  return [symbol.slice(0, hyphen), symbol.slice(hyphen + 1)];
}
