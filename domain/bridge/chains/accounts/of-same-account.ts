/**
 * Of references that are taken, those whose numbers the account of a payment counts, too: the vault's. A transfer's own account has one payment at a time, and the numbers of other transfers are
 * of other accounts.
 */
export function ofSameAccount<Reference extends { readonly from: string }>(
  from: 'vault' | 'transfer',
  taken: readonly Reference[],
): readonly Reference[] {
  return from === 'vault' ? taken.filter((one) => one.from === 'vault') : [];
}
