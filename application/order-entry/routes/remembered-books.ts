/** Orders whose book an isolate remembers, so that cancelling what was just placed needs no read of the database. */
const ORDERS_MAX = 20_000;

const books = new Map<string, { readonly account: string; readonly symbol: string }>();

export function rememberBook(orderId: string, account: string, symbol: string): void {
  if (books.size >= ORDERS_MAX) books.delete(books.keys().next().value ?? '');
  books.set(orderId, { account, symbol });
}

/** The book of an order that this account placed through this isolate, or null. */
export function rememberedBook(orderId: string, account: string): string | null {
  const known = books.get(orderId);
  return known?.account === account ? known.symbol : null;
}
