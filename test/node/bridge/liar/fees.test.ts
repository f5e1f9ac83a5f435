import { describe, expect, it, vi } from 'vitest';
import type { PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { evmVault, evmWrapped } from '../../../../domain/bridge/chains/evm/evm-adapter.ts';
import { feesReference } from '../../../../domain/bridge/fees/fee-terms.ts';
import { evmLiarChain } from './evm.ts';
import { faultsOf } from './liar-faults.ts';
import { LiarWorld, type SignedOrder, type Transfer } from './liar-world.ts';

vi.setConfig({ testTimeout: 400_000 });

/** A vault in which a withdrawal and a deposit have left fees, and a coordinator with two signers that lie. */
async function earned(first = 0) {
  const world = await LiarWorld.open(evmLiarChain('ethereum'), { liars: 2, first });
  const { scene } = world;
  const [, vault] = scene.vaults as [Vault, Vault];
  const [units] = scene.amounts as [bigint];
  const outward = world.begin(1, scene.payees[0], units, { isBooked: true, isCleared: true });
  const order = await ordered(world, outward);
  await world.handIn((await world.sign(outward, order)) as SignedOrder);
  scene.settle();
  const inward = await world.payIn(units, true);
  const pay = (
    amount: bigint,
    number: number,
    change: { to?: string; isCleared?: boolean; isListed?: boolean } = {},
  ) => {
    const { to = scene.feesTo as string, isCleared = true, isListed = true } = change;
    const transfer = world.beginFees(1, to, amount, isCleared);
    return world.sign(
      transfer,
      { ...world.orderOf(transfer, 'payout'), reference: feesReference(number, 1) },
      isListed,
    );
  };
  const fee = units / 100n;
  return { world, scene, vault, outward, inward, order, pay, fee };
}

async function ordered(world: LiarWorld, transfer: Transfer): Promise<PaymentOrder> {
  const order = world.orderOf(transfer, 'payout');
  return { ...order, reference: (await world.referenceFor(transfer, order, { taken: [] })) as string };
}

describe('fees of a vault, where a coordinator and two signers lie', () => {
  it('are paid out as far as they were earned, one payout after another, each once', async () => {
    const { world, scene, vault, outward, inward, order, pay, fee } = await earned();
    expect(await pay(fee, 0)).toBeNull();
    await world.note(outward, order);
    expect(await pay(fee + 10n ** 10n, 0)).toBeNull();
    const first = await pay(fee, 0);
    expect(first).not.toBeNull();
    // Another honest signer would sign, too: not before the chain has settled the first.
    await world.note(inward, null);
    expect(await pay(fee, 1)).toBeNull();
    const rival = await pay(2n * fee, 0);
    expect(rival).not.toBeNull();
    await world.handIn(first as SignedOrder);
    await world.handIn(rival as SignedOrder);
    expect(await pay(fee, 1)).toBeNull();
    scene.settle();
    expect(await pay(2n * fee, 1)).toBeNull();
    const second = (await pay(fee, 1)) as SignedOrder;
    await world.handIn(second);
    scene.settle();
    // One number is one payment: what had it no more is void, and what has it is paid.
    const statusOf = ({ order: one }: SignedOrder) => evmVault('ethereum').statusOf(world.viewOf(vault), one);
    expect(await statusOf(first as SignedOrder)).toMatchObject({ state: 'paid' });
    expect(await statusOf(rival as SignedOrder)).toMatchObject({ state: 'void' });
    expect(await world.feesOf(vault)).toEqual({ earned: 2n * fee, paid: 2n * fee, next: 2 });
    expect(await pay(10n ** 10n, 2)).toBeNull();
    expect(await faultsOf(world)).toEqual([]);
  });

  it('are no refund, and are earned by no wrapped token', async () => {
    const { world, vault, order, fee } = await earned();
    const of = { ...order, reference: feesReference(0, 1), amount: String(fee) };
    const view = world.viewOf(vault);
    const adapter = evmVault('ethereum');
    expect(await adapter.checkReference(view, of)).toMatchObject({ fault: null });
    const refund = { ...of, kind: 'refund' } as const;
    expect(await adapter.checkReference(view, refund)).toMatchObject({ fault: { isForGood: true } });
    await expect((async () => adapter.statusOf(view, refund))()).rejects.toThrow('of another payment');
    const wrapped = evmWrapped('exchange');
    expect(() => wrapped.build({ ...vault, chain: 'exchange' }, of)).toThrow('a wrapped token earns no fees');
    expect(wrapped.feesPaid).toBeUndefined();
    expect(() => adapter.build(vault, { ...of, reference: 'fees-01@1' })).toThrow(RangeError);
  });

  it('have numbers of their own for each token of a contract', async () => {
    const { scene, vault } = await earned();
    const adapter = evmVault('ethereum');
    const [coin] = scene.vaults;
    const order = { kind: 'payout', commitment: 'ab'.repeat(32), to: scene.payees[0], amount: '1' } as const;
    const built = (of: Vault) => adapter.build(of, { ...order, reference: feesReference(3, 1) });
    expect(built(vault)).not.toEqual(built({ ...vault, token: scene.payees[1] }));
    expect(built(coin)).not.toEqual(built(vault));
  });

  it('are paid to nobody else, and not without the guard', async () => {
    const { world, scene, outward, order, pay, fee } = await earned();
    await world.note(outward, order);
    expect(await pay(fee, 0, { to: scene.payees[0] })).toBeNull();
    expect(await pay(fee, 0, { isCleared: false })).toBeNull();
    expect(await pay(fee, 0, { isListed: false })).toBeNull();
    expect(await pay(fee, 0)).not.toBeNull();
  });

  it('are not counted by another transfer’s payout, nor before that is deep', async () => {
    const { world, scene, order, pay, fee } = await earned();
    const [units] = scene.amounts as [bigint];
    const unpaid = world.begin(1, scene.payees[0], units, { isBooked: true, isCleared: true });
    await world.note(unpaid, order);
    await world.note(unpaid, { ...order, commitment: unpaid.commitment });
    expect(await pay(fee, 0)).toBeNull();
    const own = await ordered(world, unpaid);
    const signed = (await world.sign(unpaid, own)) as SignedOrder;
    await world.handIn(signed);
    await world.note(unpaid, own);
    expect(await pay(fee, 0)).toBeNull();
    scene.settle();
    await world.note(unpaid, own);
    expect(await pay(fee, 0)).not.toBeNull();
  });
});
