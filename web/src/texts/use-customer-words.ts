import { useMemo } from 'react';
import { customerDe } from './customer-de.ts';
import { customerEn } from './customer-en.ts';
import { type Facts, fill, type Language } from './texts.ts';
import { useWords, type Words } from './words.tsx';

export type CustomerKey = keyof typeof customerEn;

/** Texts of pages that a customer opens now and then: they load with those pages. @internal */
const CUSTOMER_TEXTS: Readonly<Record<Language, Readonly<Record<CustomerKey, string>>>> = {
  en: customerEn,
  de: customerDe,
};

export interface CustomerWords extends Words {
  /** A text of these pages. */
  c(key: CustomerKey, facts?: Facts): string;
}

/** The words of every page, and those of pages that load by themselves. */
export function useCustomerWords(): CustomerWords {
  const words = useWords();
  return useMemo(() => {
    const catalogue = CUSTOMER_TEXTS[words.language];
    return { ...words, c: (key, facts) => fill(catalogue[key], facts) };
  }, [words]);
}
