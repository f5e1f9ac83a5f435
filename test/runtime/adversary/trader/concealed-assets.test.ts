import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { call } from '../../fixtures/call.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { tokenWith } from '../../fixtures/forged-token.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'CLUB', { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } });
  await createPair(db, 'SOON', { asset: { status: 'PENDING' } });
  await createPair(db, 'OPEN');
});

interface Told {
  readonly status: number;
  readonly error: unknown;
}

/** What is told of an asset, with its id taken out. */
function told(assetId: string, { status, body }: { status: number; body: unknown }): Told {
  const { error } = JSON.parse(JSON.stringify(body).replaceAll(assetId, 'ASSET')) as { error: Record<string, unknown> };
  const { code, message, details } = error;
  return { status, error: { code, message, details } };
}

const ROUTES: Readonly<Record<string, (by: Trader, assetId: string) => Promise<Told>>> = {
  'a deposit on request': async (by, assetId) =>
    told(assetId, await (await signedIn(by)).post('/v1/account/deposits', { assetId, amount: 1 })),
  'a withdrawal on request': async (by, assetId) =>
    told(
      assetId,
      await (await signedIn(by)).post('/v1/account/withdrawals', { assetId, amount: 1, reference: 'IBAN XX00' }),
    ),
  // A number that fits no scale: an asset that is known says so.
  'a position limit of a key': (by, assetId) => keyWith(by, assetId, 'positionLimits'),
  'an order size limit of a key': (by, assetId) => keyWith(by, assetId, 'orderSizeLimits'),
};

async function keyWith({ userId }: Trader, assetId: string, limits: string): Promise<Told> {
  const bearer = { authorization: `Bearer ${await tokenWith({ subject: userId })}` };
  const json = { name: 'bot', scopes: ['read'], [limits]: { [assetId]: 0.123456789 } };
  return told(assetId, await call('POST /iam/v1/keys', { headers: bearer, json }));
}

describe.each(Object.entries(ROUTES))('T-15: %s', (_route, ask) => {
  test.each(['club', 'soon'])(
    'says of %s, which must not be shown, what it says of an asset that does not exist',
    async (assetId) => {
      const stranger = await createTrader(db, { cash: 100_00 });
      const nothing = await ask(stranger, 'nothing');
      expect(nothing).toMatchObject({ status: 404, error: { code: 'ASSET_NOT_FOUND' } });
      expect(await ask(stranger, assetId)).toEqual(nothing);
    },
  );

  test('says of an asset that may be shown, or that the account holds, why it is refused', async () => {
    const holder = await createTrader(db, { cash: 100_00 });
    await giveHolding({ accountId: holder.accountId, asset: 'club', lots: [{ quantity: 1 }] });
    for (const assetId of ['open', 'club'])
      expect(await ask(holder, assetId)).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });
});
