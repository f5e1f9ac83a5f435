/** Of each the first whose word stands in the text: browsers name those that they descend from, too. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgi?A?(?:OS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
  [/\b(?:python-requests|Python-urllib|aiohttp|httpx)\b/i, 'Python'],
  [/\b(?:node|undici|axios|node-fetch)\b/i, 'Node.js'],
  [/\bGo-http-client\//, 'Go'],
  [/\b(?:okhttp|Java)\//, 'Java'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const TEXT_LENGTH_MAX = 512;

/**
 * What a caller says it is, in words of ours alone, such as `Firefox on Windows`: enough to tell one's own devices apart, too little to know
 * somebody by. Null for what says nothing that we know.
 *
 * @param userAgent header, if sent
 */
export function deviceWords(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, TEXT_LENGTH_MAX);
  const program = wordOf(PROGRAMS, text);
  const system = wordOf(SYSTEMS, text);
  if (program === null) return system;
  return system === null ? program : `${program} on ${system}`;
}

function wordOf(words: readonly (readonly [RegExp, string])[], text: string): string | null {
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
