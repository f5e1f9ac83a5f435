import { useMemo } from 'react';
import { showNumber } from '../numbers/show-number.ts';
import { type Facts, fill, type Language } from '../texts/texts.ts';
import { useWords, type Words } from '../texts/words.tsx';
import { incidentsDe, incidentsEn } from './incidents/incident-texts.ts';
import { marketDeskDe } from './market-desk-texts-de.ts';
import { marketDeskEn } from './market-desk-texts-en.ts';
import { queuesDe } from './queue-texts-de.ts';
import { queuesEn } from './queue-texts-en.ts';
import { surveillanceDe } from './surveillance/texts-de.ts';
import { surveillanceEn } from './surveillance/texts-en.ts';
import { operatorDe } from './texts-de.ts';
import { operatorEn } from './texts-en.ts';
import { venueDeskDe } from './venue-desk-texts-de.ts';
import { venueDeskEn } from './venue-desk-texts-en.ts';

export type OperatorKey =
  | keyof typeof operatorEn
  | keyof typeof queuesEn
  | keyof typeof surveillanceEn
  | keyof typeof incidentsEn
  | keyof typeof marketDeskEn
  | keyof typeof venueDeskEn;

/** Texts of the operators' pages, loaded with them. @internal */
export const OPERATOR_TEXTS: Readonly<Record<Language, Readonly<Record<OperatorKey, string>>>> = {
  en: { ...operatorEn, ...queuesEn, ...surveillanceEn, ...incidentsEn, ...marketDeskEn, ...venueDeskEn },
  de: { ...operatorDe, ...queuesDe, ...surveillanceDe, ...incidentsDe, ...marketDeskDe, ...venueDeskDe },
};

export type OperatorCount = OperatorKey extends infer Key ? (Key extends `${infer Stem}_other` ? Stem : never) : never;

export interface OperatorWords extends Words {
  /** A text of the operators' pages. */
  o(key: OperatorKey, facts?: Facts): string;
  /** The text for so many; `n` stands in it by the locale. */
  many(stem: OperatorCount, n: number, facts?: Facts): string;
  /** A whole number by the locale. */
  whole(n: number | string): string;
}

/** The words of every page, and those of operators, which come with their pages. */
export function useOperatorWords(): OperatorWords {
  const words = useWords();
  return useMemo(() => {
    const catalogue = OPERATOR_TEXTS[words.language];
    const plural = new Intl.PluralRules(words.locale);
    const whole = (n: number | string) => showNumber(String(n), words.locale);
    const o = (key: OperatorKey, facts?: Facts) => fill(catalogue[key], facts);
    const many = (stem: OperatorCount, n: number, facts: Facts = {}) =>
      o(`${stem}_${plural.select(n) === 'one' ? 'one' : 'other'}` as OperatorKey, { n: whole(n), ...facts });
    return { ...words, o, many, whole };
  }, [words]);
}
