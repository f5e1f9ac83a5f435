import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { AccountStream } from '../../../../durable-objects/feed/account-stream.ts';
import type { LedgerLink } from '../../../../durable-objects/feed/ledger-link.ts';
import { SharedNames } from '../../../../durable-objects/feed/shared-names.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { migrate } from '../../fixtures/migrate.ts';

let account: string;

beforeAll(async () => {
  const db = await migrate();
  await createCurrency(db);
  account = (await createKeyHolder(db)).accountId;
});

const typesOf = (texts: readonly string[]) => texts.map((text) => (JSON.parse(text) as { type: string }).type);

it('who followed an account when its ledger was lost hears it anew, though another client comes to it before the next attempt', async () => {
  let isUp = true;
  const told: string[] = [];
  let isFollowed = false;
  const link = {
    open: async () => {
      if (!isUp) throw new Error('the ledger is out of reach');
      return { seq: 0, balances: [] };
    },
    close: () => undefined,
  } as unknown as LedgerLink;
  const stream = new AccountStream(
    {
      env,
      link,
      names: new SharedNames(env),
      follows: (key) => isFollowed && key.startsWith('balances '),
      publish: (_, texts) => told.push(...typesOf(texts)),
    },
    account,
  );
  await stream.open('balances', null, (messages) => told.push(...typesOf(messages)));
  isFollowed = true;
  expect(told).toEqual(['subscribed', 'balances_snapshot']);

  isUp = false;
  stream.lost();
  // It tries again after 50, 100, 200 ms.
  await scheduler.wait(200);
  isUp = true;
  const joined: string[] = [];
  await stream.open('balances', null, (messages) => joined.push(...typesOf(messages)));
  expect(joined).toEqual(['subscribed', 'balances_snapshot']);
  expect(told.slice(2)).toEqual(['reset', 'balances_snapshot']);
  await scheduler.wait(500);
  expect(told.slice(2)).toEqual(['reset', 'balances_snapshot']);
  stream.end();
});
