import { de } from './de.ts';
import { en } from './en.ts';

export type TextKey = keyof typeof en;

/** What a text may name in braces. */
export type Facts = Readonly<Record<string, string | number>>;

/** A catalogue of another language has every key of the English one, or it does not compile. */
export type Catalogue = Readonly<Record<TextKey, string>>;

/** @internal */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de };

export function fill(text: string, facts: Facts = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const fact = facts[name];
    return fact === undefined ? whole : String(fact);
  });
}

/** Keys of texts that count something: `x_one` beside `x_other`. */
export type CountedKey = TextKey extends infer Key ? (Key extends `${infer Stem}_other` ? Stem : never) : never;

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}
