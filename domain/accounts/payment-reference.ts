/**
 * What a customer writes on a transfer of money, so that it is known whose it is: the last 48 bits of the request's id, which are its random ones.
 *
 * @example paymentReference('01900000-0000-7000-8000-7f3a91c20b4d') // '7F3A-91C2-0B4D'
 */
export function paymentReference(requestId: string): string {
  const digits = requestId.replaceAll('-', '').slice(-12).toUpperCase();
  return (digits.match(/.{1,4}/g) ?? []).join('-');
}
