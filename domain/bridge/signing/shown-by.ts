import type { SignerEyes } from './signer-eyes.ts';

/** The list that a guard keeps of anything. Null: it keeps none. */
interface Lists {
  announced(guard: { readonly address: string }, of: string): Promise<readonly string[] | null>;
}

/** What each guard was shown a transaction for first (`SignerEyes.shownFor`). */
export async function shownBy(
  lists: Lists,
  guards: readonly string[],
  transaction: string,
): ReturnType<SignerEyes['shownFor']> {
  const each = [...new Set(guards)].map((address) => lists.announced({ address }, transaction));
  const shown = await Promise.all(each);
  return shown.every((list) => list === null) ? null : shown.map((list) => list?.[0] ?? null);
}
