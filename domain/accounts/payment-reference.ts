/**
 * What a customer writes on a transfer of money, so that it is known whose it is: the last 48 bits of the request's id, which are its random ones.
 *
 * @example paymentReference('01900000-0000-7000-8000-7f3a91c20b4d') // '7F3A-91C2-0B4D'
 */
export function paymentReference(requestId: string): string {
  const digits = requestId.replaceAll('-', '').slice(-12).toUpperCase();
  return (digits.match(/.{1,4}/g) ?? []).join('-');
}

/** The digits of a reference as a bank shows it: in small or capital letters, in groups or in one. Null for what is none. */
export function readPaymentReference(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/g, '').toLowerCase();
  return /^[0-9a-f]{12}$/.test(digits) ? digits : null;
}
