import { describe, expect, it } from 'vitest';
import { deviceWords } from './device-words.ts';

describe('I-09: the words for a device', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Safari/537.36 Edg/138.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['curl/8.5.0', 'curl'],
    ['python-requests/2.32', 'Python'],
  ])('%s', (userAgent, words) => {
    expect(deviceWords(userAgent)).toBe(words);
  });

  it('are never those of the caller', () => {
    expect(deviceWords('Alice Example +15550100 secret=abc')).toBeNull();
    expect(deviceWords(undefined)).toBeNull();
    expect(deviceWords(`${'x'.repeat(600)} Firefox/1`)).toBeNull();
  });
});
