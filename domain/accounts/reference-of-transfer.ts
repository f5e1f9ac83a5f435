/** What an account is shown beside a deposit or withdrawal that is a movement of the bridge: which transfer it is of. */
export function referenceOfTransfer(transfer: string): string {
  return `bridge ${transfer}`;
}
