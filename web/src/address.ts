import type { PagePath } from './pages.ts';

/** Of the table of pages, so that each stands in it. */
export function path<Path extends PagePath>(of: Path): Path {
  return of;
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value);
}

/** Without the keys that stand for nothing: an address has what is chosen, and no more. */
export function chosen<T extends object>(search: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
}
