import { type Decimal, isDecimal } from './decimal.ts';

/** What a person typed, by the marks of their locale: `1.234,5` in German and `1,234.5` in English are `1234.5`. Null for anything else. */
export function readInput(text: string, locale: string): Decimal | null {
  const { group, decimal } = marksOf(locale);
  const trimmed = text.trim().replaceAll(/[\s\u00a0\u202f']/g, '');
  if (trimmed === '') return null;
  // A mark of groups counts only where it stands between threes: a slip of the mark of decimals is no other amount.
  const grouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d+)?$`).test(trimmed);
  if (!grouped && trimmed.includes(group)) return null;
  const plain = (grouped ? trimmed.replaceAll(group, '') : trimmed)
    .replace(decimal, '.')
    .replace(/^\./, '0.')
    .replace(/\.$/, '');
  return isDecimal(plain) && !/^[+-]/.test(plain) ? plain : null;
}

/** A decimal as the field shows it: by the locale's mark, without groups, which would move the caret. */
export function showInput(value: Decimal, locale: string): string {
  return value.replace('.', marksOf(locale).decimal);
}

function marksOf(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const mark = (type: string) => parts.find((part) => part.type === type)?.value;
  return { group: mark('group') ?? ',', decimal: mark('decimal') ?? '.' };
}
