import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Decimal, decimalsOf, trim } from '../numbers/decimal.ts';
import { showNumber } from '../numbers/show-number.ts';
import { usePreferences } from '../session/preferences.tsx';
import { type ApiTime, showDate, showDateTime, showTime } from '../time/show-time.ts';
import { CATALOGUES, type CountedKey, type Facts, fill, type Language, type TextKey } from './texts.ts';

export interface Words {
  readonly language: Language;
  /** Of numbers and dates. */
  readonly locale: string;
  t(key: TextKey, facts?: Facts): string;
  /** The text for so many: `n` stands in it by the locale. */
  count(stem: CountedKey, n: number, facts?: Facts): string;
  number(value: Decimal, decimals?: number): string;
  /** With its sign, above zero as well. */
  signed(value: Decimal, decimals?: number): string;
  /** As many decimals as it has. */
  exact(value: Decimal): string;
  /** The same, and two at least. */
  price(value: Decimal): string;
  percent(value: Decimal): string;
  date(time: ApiTime): string;
  dateTime(time: ApiTime): string;
  time(time: ApiTime): string;
}

const WordsContext = createContext<Words | null>(null);

export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const { preferences } = usePreferences();
  const { language, timeZone } = preferences;
  const words = useMemo(() => wordsOf(language, timeZone), [language, timeZone]);
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === null) throw new Error('there is no WordsProvider');
  return words;
}

function wordsOf(language: Language, timeZone?: string): Words {
  const locale = language === 'de' ? 'de-DE' : 'en-US';
  const catalogue = CATALOGUES[language];
  const clock = { locale: language === 'de' ? 'de-DE' : 'en-GB', timeZone };
  const plural = new Intl.PluralRules(locale);
  const t = (key: TextKey, facts?: Facts) => fill(catalogue[key], facts);
  return {
    language,
    locale,
    t,
    count: (stem, n, facts = {}) =>
      t(`${stem}_${plural.select(n) === 'one' ? 'one' : 'other'}` as TextKey, {
        n: showNumber(String(n), locale),
        ...facts,
      }),
    number: (value, decimals = 2) => showNumber(value, locale, { decimals }),
    signed: (value, decimals = 2) => showNumber(value, locale, { decimals, signed: true }),
    exact: (value) => showNumber(value, locale, { upTo: 12 }),
    price: (value) => showNumber(value, locale, { decimals: Math.max(2, decimalsOf(trim(value))) }),
    percent: (value) => `${showNumber(value, locale, { decimals: 2, signed: true })} %`,
    date: (time) => showDate(time, clock),
    dateTime: (time) => showDateTime(time, clock),
    time: (time) => showTime(time, clock),
  };
}
