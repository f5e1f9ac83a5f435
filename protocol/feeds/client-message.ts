import { z } from 'zod';
import { BAR_INTERVALS } from '../../domain/charts/bar-interval.ts';
import { ownId } from '../../domain/identity/own-id.ts';
import { MARKET_SYMBOL } from '../../domain/markets/market-symbol.ts';
import { clientIssues } from '../errors/client-issues.ts';
import { jsonFlaw } from '../json/json-flaw.ts';
import type { FeedError, MessageError } from './feed-error.ts';
import { ALL_MARKETS, CHANNELS, DEPTH_DEFAULT, DEPTH_MAX, OWN_CHANNELS } from './topic.ts';

const symbol = z
  .string()
  .refine((text) => text === ALL_MARKETS || MARKET_SYMBOL.test(text), 'must be shaped <BASE>-<QUOTE>');
/** Left out by who follows an own channel on all markets. */
const symbolOrAll = symbol.default(ALL_MARKETS);
const interval = z.enum(BAR_INTERVALS);
const id = z.union([z.string().max(64), z.number()]);

/**
 * What a client may say on a feed (X-FED-01 to X-FED-04). `resume_from` is the last sequence that the client has of that topic: it is
 * then sent what followed, or told `reset` (docs/design/feeds.md#resuming). Strict: a term that is misspelt would be none.
 */
export const ClientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    channel: z.enum(CHANNELS),
    symbol: symbolOrAll,
    depth: z.int().min(1).max(DEPTH_MAX).default(DEPTH_DEFAULT),
    interval: interval.default('1m'),
    resume_from: z.int().min(0).optional(),
  }),
  z.strictObject({
    type: z.literal('unsubscribe'),
    channel: z.enum(CHANNELS),
    symbol: symbolOrAll,
    depth: z.int().min(1).max(DEPTH_MAX).optional(),
    interval: interval.optional(),
  }),
  z.strictObject({ type: z.literal('ping'), id: id.optional() }),
  z.strictObject({ type: z.literal('pong'), id: z.number().optional() }),
  z
    .strictObject({
      type: z.literal('auth'),
      api_key: z.string().max(64).transform(ownId).optional(),
      api_secret: z.string().max(128).optional(),
      token: z.string().max(8_192).optional(),
    })
    .refine(
      ({ api_key, api_secret, token }) =>
        (token === undefined) !== (api_key === undefined) && (api_key === undefined) === (api_secret === undefined),
      'send api_key and api_secret, or token',
    ),
]);

export type ClientMessage = z.infer<typeof ClientMessage>;

/** Reads a client's text, or says what is wrong with it. */
export function readClientMessage(text: string): ClientMessage | MessageError {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: 'INVALID_JSON', message: 'the message is not JSON' };
  }
  const flaw = jsonFlaw(text);
  if (flaw !== null) {
    const { message, details } = flaw.error;
    return { code: 'VALIDATION_ERROR', message: `${message}: ${String(details.field)}` };
  }
  const parsed = ClientMessage.safeParse(value);
  if (!parsed.success) return { ...errorOf(parsed.error), ...subscriptionOf(value) };
  const error = wrongSymbol(parsed.data);
  return error === null ? parsed.data : { ...error, ...subscriptionOf(value) };
}

function errorOf(error: z.ZodError): FeedError {
  const [issue] = clientIssues(error);
  const where = issue?.path.join('.') ?? '';
  if (where === 'channel') return { code: 'UNKNOWN_CHANNEL', message: `channels are ${CHANNELS.join(', ')}` };
  if (where === 'symbol') return NO_SYMBOL;
  if (issue?.code === 'unrecognized_keys')
    return { code: 'VALIDATION_ERROR', message: `the message ${issue.message.slice(0, WORDS_LENGTH_MAX)}` };
  return { code: 'VALIDATION_ERROR', message: where === '' ? 'unknown message type' : `${where}: ${issue?.message}` };
}

/** Characters of an error that repeats terms of the message. */
const WORDS_LENGTH_MAX = 200;

/** Characters of a channel or symbol that an error repeats; every one that is offered is shorter. */
const NAME_LENGTH_MAX = 80;

/** The subscription that a wrong message is about, in its own words. */
function subscriptionOf(value: unknown): { readonly channel?: string; readonly symbol?: string } {
  if (typeof value !== 'object' || value === null || !('type' in value)) return {};
  if (value.type !== 'subscribe' && value.type !== 'unsubscribe') return {};
  const { channel, symbol } = value as { readonly channel?: unknown; readonly symbol?: unknown };
  return {
    ...(typeof channel === 'string' ? { channel: channel.slice(0, NAME_LENGTH_MAX) } : {}),
    ...(typeof symbol === 'string' ? { symbol: symbol.slice(0, NAME_LENGTH_MAX) } : {}),
  };
}

const NO_SYMBOL: FeedError = { code: 'INVALID_SYMBOL', message: 'a symbol is shaped <BASE>-<QUOTE>' };

/** A channel of markets wants one; an own channel other than `orders` is of all markets. */
function wrongSymbol(message: ClientMessage): FeedError | null {
  if (message.type !== 'subscribe' && message.type !== 'unsubscribe') return null;
  const { channel, symbol } = message;
  const isOwn = OWN_CHANNELS.some((own) => own === channel);
  if (symbol === ALL_MARKETS) return isOwn ? null : NO_SYMBOL;
  return isOwn && channel !== 'orders'
    ? { code: 'VALIDATION_ERROR', message: `${channel} is of all markets: leave symbol out` }
    : null;
}
