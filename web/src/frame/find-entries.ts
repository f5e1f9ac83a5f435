export interface Found {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  /** What is searched. */
  readonly words: string;
  readonly run: () => void;
}

const MOST = 12;
/** Ids are found from so many characters on. */
const ID_LENGTH_MIN = 8;

/** What fits best first: the exact title, a title that begins so, a word that begins so, an id that begins so. */
export function findEntries<T extends Pick<Found, 'id' | 'title' | 'detail' | 'words'>>(
  entries: readonly T[],
  typed: string,
): T[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return entries.slice(0, MOST);
  const ranked = entries.map((entry, index) => ({ entry, index, rank: rankOf(entry, wanted) }));
  const fitting = ranked.filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank || a.index - b.index);
  return fitting.slice(0, MOST).map(({ entry }) => entry);
}

function rankOf({ title, words }: Pick<Found, 'title' | 'words'>, wanted: string): number {
  const name = title.toLowerCase();
  if (name === wanted) return 4;
  if (name.startsWith(wanted)) return 3;
  const parts = words.toLowerCase().split(/\s+/);
  const asked = wanted.split(/\s+/);
  const fits = (part: string, word: string) =>
    part.startsWith(word) && (part.length < 32 || word.length >= ID_LENGTH_MIN);
  return asked.every((word) => parts.some((part) => fits(part, word))) ? 2 : 0;
}
