import { describe, expect, test } from 'vitest';
import { ExchangeClient } from './exchange.ts';
import { type PlayedAnswer, playedExchange, refusal } from './played-exchange.fixtures.ts';
import { tenantCredentials } from './tenant-credentials.ts';
import { TokenSession, type Tokens } from './token-session.ts';
import { failureOf } from './wire/failure.ts';

const OLD: Tokens = { accessToken: 'old', expiresAt: 1_000_000 + 30_000, refreshToken: 'r1' };
const bought = (n: number) => ({ body: { access_token: `a${n}`, expires_in: 7_200, refresh_token: `r${n + 1}` } });

function session(answers: readonly PlayedAnswer[], tokens: Tokens | null = OLD) {
  const played = playedExchange(answers);
  const kept: Tokens[] = [];
  const own = new TokenSession({
    iamUrl: 'https://exchange.example/iam',
    clientId: 'app',
    ...(tokens === null ? { clientSecret: 'shh' } : { tokens }),
    onTokens: (fresh) => void kept.push(fresh),
    seams: played.seams,
  });
  const { seams } = played;
  const baseUrl = 'https://exchange.example/exchange';
  const exchange = new ExchangeClient({
    baseUrl,
    credentials: tenantCredentials({ baseUrl, tokens: own, seams }),
    seams,
  });
  return { own, exchange, kept, ...played };
}

describe('a session of tokens', () => {
  test('is refreshed once for all who wait, before the token ends, and says the fresh tokens', async () => {
    const { own, sent, kept, clock } = session([bought(1), bought(2)]);
    expect(await Promise.all([own.accessToken(), own.accessToken(), own.accessToken()])).toEqual(['a1', 'a1', 'a1']);
    expect(sent.map(({ body }) => body)).toEqual(['grant_type=refresh_token&refresh_token=r1&client_id=app']);
    expect(kept).toEqual([{ accessToken: 'a1', expiresAt: 1_000_000 + 7_200_000, refreshToken: 'r2' }]);
    clock.now += 7_200_000 - 60_000;
    expect(await own.accessToken()).toBe('a2');
  });

  test('of a machine client buys by its secret', async () => {
    const { own, sent } = session([{ body: { access_token: 'm', expires_in: 7_200 } }], null);
    expect(await own.accessToken()).toBe('m');
    expect(sent[0]?.body).toBe('grant_type=client_credentials&client_id=app&client_secret=shh');
  });

  test('that cannot be refreshed is unauthorized', async () => {
    const { own } = session([{ status: 400, body: { error: 'invalid_grant', error_description: 'spent' } }]);
    const error = await own.accessToken().catch((reason: unknown) => reason);
    expect(failureOf(error)).toMatchObject({ kind: 'unauthorized', code: 'invalid_grant', message: 'spent' });
  });

  test('serves profile exchange with its tenant token, and renews both after a 401', async () => {
    const { exchange, sent } = session([
      bought(1),
      { body: { token: 't1' } },
      refusal(401, 'UNAUTHORIZED'),
      refusal(401, 'UNAUTHORIZED'),
      bought(2),
      { body: { token: 't2' } },
      { body: { data: { cashBalance: 10.1 } } },
    ]);
    const account = await exchange.get('/v1/account');
    expect(account.data.cashBalance).toBe('10.1');
    const proofs = sent.map(({ headers }) => [headers.get('authorization'), headers.get('tenant-authorization')]);
    expect(proofs[2]).toEqual(['Bearer a1', 't1']);
    expect(proofs[6]).toEqual(['Bearer a2', 't2']);
  });

  test('has another tenant token where that alone has ended, also of an access token that cannot be renewed', async () => {
    const { exchange, sent } = session(
      [{ body: { token: 't1' } }, refusal(401, 'UNAUTHORIZED'), { body: { token: 't2' } }, { body: { data: {} } }],
      { accessToken: 'only', expiresAt: 9_000_000, refreshToken: null },
    );
    await exchange.get('/v1/account');
    expect(sent[3]?.headers.get('tenant-authorization')).toBe('t2');
  });

  test('keeps what it has bought until it is kept outside, too: what it was bought with is spent', async () => {
    let isFull = true;
    const played = playedExchange([bought(1)]);
    const own = new TokenSession({
      iamUrl: 'https://exchange.example/iam',
      clientId: 'app',
      tokens: OLD,
      seams: played.seams,
      onTokens: async () => {
        if (isFull) throw new Error('the disk is full');
      },
    });
    await expect(own.accessToken()).rejects.toThrow('the disk is full');
    isFull = false;
    expect([await own.accessToken(), played.sent.length]).toEqual(['a1', 1]);
  });

  test.each([
    ['an answer that is no JSON', { text: '<html>' }],
    ['an answer without a token', { body: { token: 7 } }],
  ])('takes %s for none', async (_, answer) => {
    const bare = session([answer]);
    const error = await bare.own.accessToken().catch((reason: unknown) => reason);
    expect(failureOf(error)).toMatchObject({ kind: 'no_answer' });
    const tenant = session([bought(1), answer]);
    const failed = await tenant.exchange.get('/v1/account').catch((reason: unknown) => reason);
    expect(failureOf(failed)).toMatchObject({ kind: 'no_answer' });
  });
});
