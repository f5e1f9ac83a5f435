/**
 * A word of our lists as payloads of trades show it (P-IST-08).
 *
 * @example displayText('limited_liability_company') // 'Limited Liability Company'
 */
export function displayText(word: string): string {
  return word
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ');
}
