import { describe, expect, test } from 'vitest';
import { marketSymbol } from '../../domain/markets/market-symbol.ts';
import { readClientMessage } from './client-message.ts';

const read = (message: object) => readClientMessage(JSON.stringify(message));

describe('an error about a subscription', () => {
  test.each<[string, { channel: string; symbol?: string; depth?: number }, string]>([
    ['a depth that is none', { channel: 'orderbook', symbol: 'AAA-USD', depth: 0 }, 'VALIDATION_ERROR'],
    ['no symbol', { channel: 'orderbook' }, 'INVALID_SYMBOL'],
    ['a symbol that is none', { channel: 'trades', symbol: 'AAA' }, 'INVALID_SYMBOL'],
    ['a symbol where there is none', { channel: 'account', symbol: 'AAA-USD' }, 'VALIDATION_ERROR'],
    ['an unknown channel', { channel: 'weather', symbol: 'AAA-USD' }, 'UNKNOWN_CHANNEL'],
  ])('names channel and symbol as the message has them: %s', (_, { depth, ...subscription }, code) => {
    const about = { code, message: expect.any(String), ...subscription };
    expect(read({ type: 'subscribe', ...subscription, depth })).toEqual(about);
    if (depth === undefined) expect(read({ type: 'unsubscribe', ...subscription })).toEqual(about);
  });

  test.each([
    marketSymbol('BTC', 'USD', 'prime'),
    marketSymbol('ACME', 'USD', 'indication'),
    marketSymbol('BRK.B', 'USD', 'broker'),
    marketSymbol('A_B-C', 'USD', 'internal'),
    `PRIME:${'B'.repeat(31)}-${'Q'.repeat(31)}`,
  ])('follows orders by the name that answers give a market: %s', (symbol) => {
    const asked = { channel: 'orders', symbol };
    expect(read({ type: 'subscribe', ...asked })).toMatchObject({ type: 'subscribe', ...asked });
    expect(read({ type: 'subscribe', ...asked, depth: 0 })).toMatchObject({ code: 'VALIDATION_ERROR', ...asked });
  });

  test('repeats no more than 80 characters of each, and text alone', () => {
    const long = 'x'.repeat(1_000);
    const short = 'x'.repeat(80);
    expect(read({ type: 'subscribe', channel: long, symbol: long })).toMatchObject({ channel: short, symbol: short });
    expect(read({ type: 'subscribe', channel: {}, symbol: [long] })).toEqual({
      code: 'UNKNOWN_CHANNEL',
      message: expect.any(String),
    });
  });

  test.each<[string, object, string]>([
    ['a subscription', { type: 'subscribe', channel: 'orderbook', symbol: 'AAA-USD', dept: 5 }, '"dept"'],
    [
      'what to go on from',
      { type: 'subscribe', channel: 'trades', symbol: 'AAA-USD', resume_form: 5 },
      '"resume_form"',
    ],
    ['the end of one', { type: 'unsubscribe', channel: 'trades', symbol: 'AAA-USD', resume_from: 5 }, '"resume_from"'],
    ['a ping', { type: 'ping', uid: 1 }, '"uid"'],
    ['a pong', { type: 'pong', uid: 1 }, '"uid"'],
    ['a credential', { type: 'auth', token: 'x', secret: 'shh' }, '"secret"'],
  ])('names a term that no message of its kind has: %s', (_, message, name) => {
    expect(read(message)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `the message has a field that is not known here: ${name}`,
    });
  });

  test('repeats no more than the beginning of terms that it does not know', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`term${index}`, 1]));
    expect((read({ type: 'ping', ...many }) as { message: string }).message.length).toBeLessThan(220);
  });

  test('is what it names a subscription for: other messages name none', () => {
    for (const message of [{ type: 'auth' }, { type: 'dance' }])
      expect(Object.keys(read({ ...message, channel: 'trades', symbol: 'AAA-USD' }))).toEqual(['code', 'message']);
  });
});

describe('a message with a field that stands twice', () => {
  test.each([
    ['two symbols', '{"type":"subscribe","channel":"trades","symbol":"AAA-USD","symbol":"BBB-USD"}', 'symbol'],
    ['two keys', '{"type":"auth","api_key":"a","api_key":"b","api_secret":"c"}', 'api_key'],
    ['two spellings of one name', String.raw`{"type":"ping","ty\u0070e":"pong"}`, 'type'],
  ])('is not taken as either of the two: %s', (_, text, field) => {
    expect(readClientMessage(text)).toEqual({
      code: 'VALIDATION_ERROR',
      message: `a field stands twice in one object: ${field}`,
    });
  });
});
