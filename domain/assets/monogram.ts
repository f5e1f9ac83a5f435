const COLOURS = ['#1f4e79', '#2e6b3f', '#7a3b2e', '#5b3a78', '#806517', '#1f6f6f', '#8a2f52', '#3d4f5c'] as const;
const LETTERS_MAX = 4;

/** The image of an asset that has none of its own: the first letters of its symbol, as SVG. The same symbol looks the same everywhere. */
export function monogramOf(symbol: string): string {
  const letters = symbol.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, LETTERS_MAX);
  const colour = COLOURS[[...symbol].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLOURS.length];
  const size = letters.length > 2 ? 34 : 48;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128" role="img"><rect width="128" height="128" rx="24" fill="${colour}"/><text x="64" y="66" fill="#fff" font-family="sans-serif" font-size="${size}" font-weight="600" text-anchor="middle" dominant-baseline="middle">${letters}</text></svg>`;
}
