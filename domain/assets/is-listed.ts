/** Whether there is such an asset for the public: currencies and allowances are no assets to trade, and a pending one is not there yet. */
export function isListed({ rail, status }: { readonly rail: string | null; readonly status: string }): boolean {
  return rail !== null && status !== 'PENDING';
}
