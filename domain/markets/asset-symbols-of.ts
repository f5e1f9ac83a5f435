/**
 * The symbols of the assets that a market trades: shaped `<BASE>-<QUOTE>` (exchange.md, Order-book profile: order request). A base may have
 * a hyphen of its own.
 */
export function assetSymbolsOf(symbol: string): readonly [base: string, quote: string] {
  const hyphen = symbol.lastIndexOf('-');
  return [symbol.slice(0, hyphen), symbol.slice(hyphen + 1)];
}
