import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterSending,
  areCodesLong,
  CODE_LIFETIME_MS,
  codeMessage,
  hasAccountMessage,
  isSentAgain,
  KNOWN_MS,
  LONG_CODE_CHARACTERS,
  LONG_CODE_LENGTH,
  poolOf,
  type Sends,
  sendingWait,
  shownCode,
  typedCode,
} from './one-time-code.ts';

const MINUTE_MS = 60_000;

/** When messages go if somebody asks every second for so long. */
function sentTimes(of: 'phone' | 'address', hours: number): number[] {
  const times: number[] = [];
  let sends: Sends | null = null;
  for (let now = 1_000; now <= hours * 60 * MINUTE_MS; now += 1_000) {
    if (sendingWait(sends, of, now) > 0) continue;
    sends = afterSending(sends, now);
    times.push(now);
  }
  return times;
}

describe('messages with a code', () => {
  it('go on at a slow steady rate, however often they are asked for', () => {
    const [phone, address] = [sentTimes('phone', 3), sentTimes('address', 3)];
    expect(phone.slice(0, 6).map((at) => (at - 1_000) / 1_000)).toEqual([0, 30, 60, 90, 120, 270]);
    expect(phone.length).toBeLessThanOrEqual(3 * 29);
    expect(address.length).toBeLessThanOrEqual(3 * 16);
    const pauses = (times: number[]) => times.slice(1).map((at, i) => at - times[i]!);
    expect(Math.max(...pauses(phone))).toBe(150_000);
    expect(Math.max(...pauses(address))).toBe(10 * MINUTE_MS);
  });

  it('leave whoever is told to wait with a code that is still good', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1_000, max: 400_000 }), { maxLength: 200 }), (gaps) => {
        let [now, sends, expiresAt]: [number, Sends | null, number] = [1_000_000, null, 0];
        for (const gap of gaps) {
          now += gap;
          if (sendingWait(sends, 'phone', now) > 0) expect(expiresAt).toBeGreaterThan(now);
          else {
            sends = afterSending(sends, now);
            if (!isSentAgain(expiresAt, now)) expiresAt = now + CODE_LIFETIME_MS;
          }
        }
      }),
    );
  });

  it('never have three codes good at once', () => {
    let made: number[] = [];
    for (const now of sentTimes('phone', 4)) {
      const last = made.at(-1);
      if (last === undefined || !isSentAgain(last + CODE_LIFETIME_MS, now)) made = [...made, now];
      expect(made.filter((at) => at + CODE_LIFETIME_MS > now).length).toBeLessThanOrEqual(2);
    }
  });
});

describe('an address', () => {
  it('is known where somebody has signed in, an asker as long as its code lives, else a stranger', () => {
    const now = KNOWN_MS * 3;
    expect(poolOf({ askedAt: 0, signedInAt: 0 }, now)).toBe('strangers');
    expect(poolOf({ askedAt: now - CODE_LIFETIME_MS + 1, signedInAt: 0 }, now)).toBe('askers');
    expect(poolOf({ askedAt: now - CODE_LIFETIME_MS, signedInAt: 0 }, now)).toBe('strangers');
    expect(poolOf({ askedAt: 0, signedInAt: now - KNOWN_MS + 1 }, now)).toBe('known');
    expect(poolOf({ askedAt: now, signedInAt: now - KNOWN_MS }, now)).toBe('askers');
  });
});

describe('I-08: after a hundred wrong codes', () => {
  it('codes are long, and not before', () => {
    expect([areCodesLong(0), areCodesLong(99), areCodesLong(100), areCodesLong(101)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('have so many values that no limit of tries is asked for', () => {
    expect(LONG_CODE_LENGTH * Math.log2(LONG_CODE_CHARACTERS.length)).toBeGreaterThanOrEqual(64);
    expect(new Set(LONG_CODE_CHARACTERS).size).toBe(32);
  });

  it('are typed as a person reads them', () => {
    expect(shownCode('7K2Q9ABCDEFGH0')).toBe('7K2Q9-ABCDE-FGH0');
    for (const typed of ['7K2Q9ABCDEFGH0', '7k2q9-abcde-fgh0', ' 7K2Q9 ABCDE FGHO '])
      expect(typedCode(typed)).toBe('7K2Q9ABCDEFGH0');
    expect(typedCode('IL000-00000-0000')).toBe('11000000000000');
    for (const none of ['', '12345', '1234567', 'UUUUU-UUUUU-UUUU', '7K2Q9-ABCDE-FGH00', 'x'.repeat(10_000)])
      expect(typedCode(none)).toBeNull();
    expect(typedCode('012345')).toBe('012345');
  });

  it('tell what they are for, and what was tried meanwhile', () => {
    expect(codeMessage('012345', 'Lakeside', 0)).toBe(
      '012345 is your one-time code for Lakeside. It is valid for 5 minutes. Tell it to nobody.',
    );
    expect(codeMessage('012345', null, 1)).toMatch(/A wrong code was tried for your number\.$/);
    expect(codeMessage('012345', null, 7)).toMatch(/7 wrong codes were tried for your number\.$/);
    expect(hasAccountMessage('Lakeside', 0)).toMatch(/nothing has to be done\.$/);
    expect(hasAccountMessage('Lakeside', 7)).toMatch(/7 wrong codes were tried for your number\.$/);
  });
});
