/**
 * No share of today was acquired, or recorded, on a day before this one: a year of two digits that a program has filled up (`0020-05-01`), the day that a
 * spreadsheet counts from (1899-12-30), and the one that stands for none (`0001-01-01`) lie before it.
 */
const FIRST_DAY = '1901-01-01';

/** Whether a day, or a moment, in text lies before any that may be meant. */
export function precedesAllDays(text: string): boolean {
  return text.slice(0, 10) < FIRST_DAY;
}

export const BEFORE_ALL_DAYS = 'lies before 1901: a year has four digits, and no day is left out or null';
