const OWNER = 'owner';

/** Leaves nothing to a person of what another has left in this tab, such as what they wrote before their session ended. */
export function keepStoreFor(
  userId: string,
  store: Pick<Storage, 'getItem' | 'setItem' | 'clear'> = sessionStorage,
): void {
  if (store.getItem(OWNER) === userId) return;
  store.clear();
  store.setItem(OWNER, userId);
}
