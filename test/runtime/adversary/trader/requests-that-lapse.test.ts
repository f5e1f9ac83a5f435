import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { lapseTransferRequests } from '../../../../application/accounts/lapse-requests.ts';
import { type DoorTransaction, LEDGER_SHARD } from '../../../../durable-objects/ledger/api.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

it('M-17: a request to pay out that nobody has decided for thirty days lapses, and what it held is available again', async () => {
  const db = await migrate();
  await createPair(db, 'ACME');
  const client = await signedIn(await createTrader(db, { cash: 100_00 }));
  const asked = await client.post<{ data: { id: string } }>('/v1/account/withdrawals', {
    assetId: USD,
    amount: 60,
    reference: 'IBAN XX00',
  });
  expect(asked.status).toBe(200);
  const status = async () => {
    const { body } = await client.get<{ data: { id: string; status: string }[] }>('/v1/account/withdrawals');
    return body.data.map((each) => each.status);
  };
  const buyingPower = async () =>
    (await client.get<{ data: { buyingPower: number } }>('/v1/account')).body.data.buyingPower;

  await lapseTransferRequests(env, Date.now() + 29 * DAY_MS);
  expect([await status(), await buyingPower()]).toEqual([['requested'], 40]);
  await lapseTransferRequests(env, Date.now() + 31 * DAY_MS);
  expect([await status(), await buyingPower()]).toEqual([['cancelled'], 100]);
  await expectRightLedger();
});

it('one that the ledger does not take keeps back no other, and a ledger that is away is asked three times', async () => {
  const db = await migrate();
  const clients = await Promise.all(
    Array.from({ length: 6 }, async () => signedIn(await createTrader(db, { cash: 9_00 }))),
  );
  const ids: string[] = [];
  for (const client of clients) {
    const asked = { assetId: USD, amount: 5, reference: 'IBAN XX01' };
    ids.push((await client.post<{ data: { id: string } }>('/v1/account/withdrawals', asked)).body.data.id);
  }
  const open = async () => {
    const read = await Promise.all(
      clients.map((client) => client.get<{ data: { status: string }[] }>('/v1/account/withdrawals')),
    );
    return read.map(({ body }) => body.data[0]?.status);
  };
  const later = Date.now() + 31 * DAY_MS;
  const ledger = env.LEDGER.getByName(LEDGER_SHARD);
  const asked: string[] = [];
  const through = (refuses: (request: string) => boolean) => {
    const transact = async (transaction: DoorTransaction) => {
      const { request } = transaction as { readonly request: string };
      asked.push(request);
      if (refuses(request)) throw new Error('this one breaks the ledger’s door');
      return ledger.transact(transaction);
    };
    return {
      ...env,
      LEDGER: { getByName: () => ({ transact, projected: () => ledger.projected() }) },
    } as unknown as Env;
  };

  await lapseTransferRequests(
    through(() => true),
    later,
  );
  expect(new Set(asked).size).toBe(3);
  const broken = new Set(ids.slice(0, 2));
  await lapseTransferRequests(
    through((request) => broken.has(request)),
    later,
  );
  expect(await open()).toEqual(ids.map((id) => (broken.has(id) ? 'requested' : 'cancelled')));
});
