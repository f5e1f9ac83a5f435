import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../calendar/durations.ts';
import { addressIdentity, isMailAddress, mailboxOf, maskedAddress } from './mail-address.ts';
import { FACT_LENGTH_MAX, factsOfMail, kindsOfClass, MAIL_KINDS, type MailKind, ruleOfMail } from './mail-kinds.ts';
import { limitOfMail } from './mail-limits.ts';
import { nextTryOfMail } from './mail-retries.ts';
import { toldFacts } from './told-facts.ts';

describe('a mail address', () => {
  it.each(['o@example.com', "o'neil+tag@mail.example.co.uk", 'a.b@x1.example', `${'a'.repeat(64)}@example.com`])(
    'is %s',
    (text) => {
      expect(isMailAddress(text)).toBe(true);
    },
  );

  it.each([
    '',
    'o',
    'o@example',
    '@example.com',
    'o@@example.com',
    'o@example.com\r\nBcc: x@example.com',
    'o@example.com, x@example.com',
    'O <o@example.com>',
    '"o p"@example.com',
    'o@[127.0.0.1]',
    'o.@example.com',
    'o@-example.com',
    'o@exämple.com',
    `${'a'.repeat(65)}@example.com`,
    `o@${'a.'.repeat(130)}com`,
  ])('is not %j', (text) => {
    expect(isMailAddress(text)).toBe(false);
  });

  it('leads to one mailbox, however it is written', () => {
    for (const one of ['victim@gmail.com', 'V.ictim@gmail.com', 'victim+1@gmail.com', 'v.ic.tim+2@GoogleMail.com'])
      expect(mailboxOf(one)).toBe('victim@gmail.com');
    expect(mailboxOf('o.neil+tag@example.com')).toBe('o.neil@example.com');
    expect(mailboxOf('oneil@example.com')).toBe('oneil@example.com');
    expect(mailboxOf('+tag@example.com')).toBe('+tag@example.com');
  });

  it('is the same in any case, and shown masked', () => {
    expect(addressIdentity('Olivia@Example.com')).toBe(addressIdentity('olivia@example.com'));
    expect(maskedAddress('olivia@example.com')).toBe('o•••@example.com');
  });
});

describe('what a mail may say', () => {
  it('is the facts of its kind, each on one line and so long at most', () => {
    const facts = { device: 'Firefox\r\nBcc: x', place: 'p'.repeat(1_000), at: '', code: '123456' };
    expect(factsOfMail('sign_in_new_device', facts)).toEqual({
      device: 'Firefox Bcc: x',
      place: `${'p'.repeat(FACT_LENGTH_MAX - 1)}…`,
    });
    expect(factsOfMail('key_created', JSON.parse('{"__proto__":"x","name":"bot\u202e"}'))).toEqual({ name: 'bot' });
  });
});

describe('how many mails', () => {
  it('an address that nobody has proved to read gets 5 an hour, and a user 50 of each kind of security and 50 of preferences a day', () => {
    expect(limitOfMail('mail_confirm')).toMatchObject({ count: 5, within_ms: HOUR_MS });
    expect(limitOfMail('signup_exists')).toMatchObject({ count: 5, within_ms: HOUR_MS });
    expect(limitOfMail('key_created')).toMatchObject({ count: 50, within_ms: DAY_MS });
    expect(limitOfMail('order_filled')).toMatchObject({ count: 50, within_ms: DAY_MS });
  });

  it('no kind of security uses up what another has', () => {
    for (const kind of kindsOfClass('security').filter(
      (each) => !['mail_confirm', 'signup_exists', 'address_in_use'].includes(each),
    ))
      expect(limitOfMail(kind).kinds).toEqual([kind]);
  });

  it('preferences use up nothing of security', () => {
    for (const kind of Object.keys(MAIL_KINDS) as MailKind[]) {
      const { class: of } = ruleOfMail(kind);
      for (const counted of limitOfMail(kind).kinds) expect(ruleOfMail(counted).class).toBe(of);
    }
  });
});

describe('the next try', () => {
  const now = 1_000_000;
  const goodUntil = now + 12 * HOUR_MS;

  it('comes later each time, and the eighth was the last', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => nextTryOfMail({ attempts, now, retryAt: null, goodUntil }));
    expect(waits).toEqual([...waits].sort((a, b) => Number(a) - Number(b)));
    expect(waits[0]).toBe(now + 30 * SECOND_MS);
    expect(nextTryOfMail({ attempts: 8, now, retryAt: null, goodUntil })).toBeNull();
  });

  it('is put off by Retry-After, by 4 hours at most, and never brought forward', () => {
    const at = (retryAt: number) => nextTryOfMail({ attempts: 1, now, retryAt, goodUntil });
    expect(at(now + HOUR_MS)).toBe(now + HOUR_MS);
    expect(at(now + 10 * DAY_MS)).toBe(now + 4 * HOUR_MS);
    expect(at(now - HOUR_MS)).toBe(now + 30 * SECOND_MS);
  });

  it('is none where the mail is worth nothing by then', () => {
    expect(nextTryOfMail({ attempts: 1, now, retryAt: null, goodUntil: now + 1 })).toBeNull();
  });
});

describe('stored facts', () => {
  it('are told with amounts in full digits, times as ISO 8601, and nothing for what is missing', () => {
    const stored = { amount: 1, scale: 8, symbol: 'BTC', id: 'x', at: 0, until: null };
    expect(toldFacts(stored)).toEqual({ amount: '0.00000001 BTC', id: 'x', at: '1970-01-01T00:00:00.000Z' });
    expect(toldFacts({ quantity: 1_234_567, quantity_scale: 2 })).toEqual({ quantity: '12345.67' });
  });
});
