import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { lapseTransferRequests } from '../../../../application/accounts/lapse-requests.ts';
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
