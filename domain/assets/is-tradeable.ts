/** Whether orders for the asset are taken at all; its market may still be halted. */
export function isTradeable({ tradeable, status }: { readonly tradeable: boolean; readonly status: string }): boolean {
  return tradeable && status === 'APPROVED';
}
