/** A key signs only once verifiers that refetch the JWKS have had this long to learn of it. */
export const ACTIVATION_MS = 10 * 60_000;

/**
 * The key that signs at `now`: the newest that has been published long enough, else the oldest there is (the first key of a fresh
 * system signs at once, for nobody can know another).
 *
 * @param keys not retired, oldest first
 */
export function chooseSigningKey<Key extends { readonly createdAt: number }>(
  keys: readonly Key[],
  now: number,
): Key | null {
  return keys.findLast((key) => key.createdAt <= now - ACTIVATION_MS) ?? keys[0] ?? null;
}
