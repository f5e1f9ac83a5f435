import { uuidv7 } from 'uuidv7';
import type { Abi } from 'viem';
import { expect } from 'vitest';
import type { PaymentOrder } from '../../../domain/bridge/chains/chain-adapter.ts';
import { ORGANIZATION } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import type { CeremonyTerms } from '../../../domain/bridge/signing/ceremony/ceremony.ts';
import type { HostedSigner } from '../../../domain/bridge/signing/hosted-signer.ts';
import { paymentDigest } from '../../../domain/bridge/signing/payment-digest.ts';
import { type Place, type TransferTerms, termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { GUARD_ABI } from '../../../protocol/bridge/abi/guard-abi.ts';
import { type BridgeChains, CUSTOMER, LANE, RELAYER } from './bridge-chains.fixtures.ts';

/** Of five signers that make their first key. */
export async function ceremonyOf(signers: readonly HostedSigner[]): Promise<CeremonyTerms> {
  const roster = await Promise.all(signers.map((signer) => signer.identity()));
  const dealers = roster.map((key, signer) => ({ signer, key }));
  const shape = { id: 'first', organization: ORGANIZATION, scheme: 'frost-secp256k1', kind: 'make' } as const;
  return { ...shape, generation: 1, roster, dealers, from: null };
}

/** What an operator states of an organization that has one asset. */
export function organizationPlaces(
  chains: BridgeChains,
  hardware: { readonly coSignFrom: number | null; readonly moduleKeys: readonly string[] } = {
    coSignFrom: null,
    moduleKeys: [],
  },
) {
  const { coSignFrom, moduleKeys } = hardware;
  const vaults = [chains.vault, chains.wrapped].map((vault) => ({ ...vault, origin: 'ethereum' }));
  return { guard: chains.guard, stake: null, moduleKeys, assets: { USDC: { scale: 6, coSignFrom, vaults } } };
}

/** As BRIDGE_SIGNER_PLACES has it. */
export function placesText(chains: BridgeChains, organizations: Readonly<Record<string, object>>): string {
  const nodes = { ethereum: { url: chains.external.devnet.url }, exchange: { url: chains.exchange.devnet.url } };
  return JSON.stringify({ nodes, organizations });
}

/** A transfer whose funds have come, that the guard has counted, and whose payout it lists. */
export async function paidIn(chains: BridgeChains) {
  const [source, destination] = (['ethereum', 'exchange'] as const).map(
    (chain) => ({ kind: 'chain', chain, address: CUSTOMER.address }) as const,
  ) as [Place, Place];
  const terms: TransferTerms = {
    id: uuidv7(),
    organization: ORGANIZATION,
    asset: 'USDC',
    source,
    destination,
    amountIn: '1000',
    amountOut: '990',
    amount: 1_000,
    fee: 10,
    expiresAt: Date.now() + 3_600_000,
  };
  const commitment = termsCommitment(terms);
  const order = { kind: 'payout', commitment, to: CUSTOMER.address, amount: terms.amountOut } as const;
  const payment: PaymentOrder = await chains.orderOf(chains.wrapped, order);
  const guard = { address: chains.guard, abi: GUARD_ABI as Abi };
  expect(await chains.deposit(chains.vault, commitment, 1_000n)).toBe(true);
  const digest = paymentDigest('destination', payment);
  for (const [name, args] of [
    ['request', [`0x${commitment}`, `0x${LANE}`, BigInt(terms.amount)]],
    ['announce', [`0x${commitment}`, `0x${digest}`]],
  ] as const)
    expect((await chains.exchange.send(guard, name, args, RELAYER)).error).toBeNull();
  return { terms, payment, side: 'destination', coSignature: null, earlier: [] } as const;
}
