import { z } from 'zod';
import type { Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { CHAIN_NAMES, EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import { isOutlived as areOutlived, type KeptVersion, keptAt } from '../../domain/bridge/places/kept-versions.ts';
import type { KnownPlaces } from '../../domain/bridge/signing/chain-eyes.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { createdAtOf } from '../../domain/ids/created-at-of.ts';
import { CustodyProviders } from './custody-providers.ts';

const Hex = z.string().regex(/^([0-9a-f]{2})*$/);
const Key = z.string().regex(/^0[23][0-9a-f]{64}$/);

/** Unix ms: transfers that begin from then on go by it, until the next one of its place. */
const From = z.int().min(0).default(0);

const KnownVault = z.strictObject({
  from: From,
  /** The external chain that the asset is from: of a vault its own, of a wrapped token that of its vault. */
  origin: z.enum(CHAIN_NAMES),
  chain: z.enum(CHAIN_NAMES),
  network: z.enum(['mainnet', 'testnet', 'local']),
  keys: z.strictObject({
    scheme: z.enum(['frost-secp256k1', 'frost-taproot', 'frost-ed25519', 'multisig-secp256k1']),
    groupKey: Hex,
    signerKeys: z.array(Key),
  }),
  contract: z.string().nullable(),
  token: z.string().nullable(),
  decimals: z.int().min(0).max(30),
  custody: z.strictObject({ provider: z.string(), account: z.string(), asset: z.string() }).optional(),
});

const HttpUrl = z.url({ protocol: /^https?$/ });

const Organization = z.strictObject({
  /** How the exchange's ledger is asked; null: nothing is signed that comes from an account, and nothing given back that was to go to one. */
  ledger: z
    .strictObject({ url: HttpUrl, tokenUrl: HttpUrl, clientId: z.string(), clientSecret: z.string() })
    .nullable()
    .default(null),
  guard: z.string(),
  guardFrom: From,
  /** Guards that were replaced: a transaction that one of them was shown for a transfer is no other's. Transfers of its time go by one whose time is stated. */
  formerGuards: z
    .array(z.union([z.string(), z.strictObject({ address: z.string(), from: From })]))
    .max(64)
    .default([]),
  stake: z.strictObject({ chainId: z.int().min(1), address: z.string() }).nullable(),
  /** Compressed keys of its hardware modules. */
  moduleKeys: z.array(Key).max(8),
  /** By the ledger's asset: its decimals, from how much on the modules sign, and where it is. */
  assets: z.record(
    z.string(),
    z.strictObject({
      scale: z.int().min(0).max(18),
      coSignFrom: z.int().min(1).nullable(),
      /** By the external chain, what a transfer has to be of and to cost at least, scaled integers of the ledger. */
      lanes: z
        .array(z.strictObject({ origin: z.enum(CHAIN_NAMES), leastAmount: z.int().min(1), flatFee: z.int().min(0) }))
        .max(64)
        .default([]),
      vaults: z.array(KnownVault).max(64),
    }),
  ),
});

const Places = z.strictObject({
  /** By chain, addresses of the nodes that this signer asks, and what opens them. */
  nodes: z.partialRecord(
    z.enum(CHAIN_NAMES),
    z.strictObject({ url: HttpUrl, headers: z.record(z.string(), z.string()).default({}) }),
  ),
  /** Custody providers by name, and a key of this signer's own: one that may look is enough. */
  custody: CustodyProviders.default({}),
  organizations: z.record(z.string(), Organization),
});

export type SignerPlaces = z.infer<typeof Places>;

/** Where a signer's chains and vaults are, as whoever runs it says. @throws Error where the text does not say it */
export function signerPlaces(text: string): SignerPlaces {
  const read = Places.safeParse(JSON.parse(text));
  if (!read.success) throw new Error(z.prettifyError(read.error));
  return read.data;
}

/**
 * A transfer's places among them. A vault is that of the transfer's external chain, and so is a wrapped token: what came to one is paid out of no other.
 * A transfer goes by what held when it began, as its id says: what was signed for a vault that was replaced can be handed in there yet.
 *
 * @throws Error where the organization does not have the asset there
 */
export function placesOf({ organizations }: SignerPlaces, terms: TransferTerms, now: number): KnownPlaces {
  const known = Object.hasOwn(organizations, terms.organization) ? organizations[terms.organization] : undefined;
  const asset = known !== undefined && Object.hasOwn(known.assets, terms.asset) ? known.assets[terms.asset] : undefined;
  if (known === undefined || asset === undefined) throw new Error(`${terms.asset} is not known here`);
  const external = externalChain(terms);
  const begunAt = createdAtOf(terms.id);
  const vaultsOf = (side: 'source' | 'destination') => {
    const place = terms[side];
    if (place.kind === 'account') return [];
    const found = asset.vaults.filter(({ origin, chain }) => chain === place.chain && origin === external);
    if (found.length === 0) throw new Error(`${terms.asset} has not one vault on ${place.chain}`);
    return versionsOf(found.map(({ origin: _, from, ...vault }) => ({ value: vault as Vault, from })));
  };
  const [sources, destinations] = [vaultsOf('source'), vaultsOf('destination')];
  const guards = guardsOf(known);
  const timed = versionsOf(guards.flatMap(({ address, from }) => (from === null ? [] : [{ value: address, from }])));
  const held = <Value>(kept: readonly KeptVersion<Value>[]) => (kept.length === 0 ? null : keptAt(kept, begunAt, now));
  const [source, destination, guard] = [held(sources), held(destinations), keptAt(timed, begunAt, now)];
  const formerGuards = guards.map(({ address }) => address).filter((address) => address !== guard);
  const isOutlived = [sources, destinations, timed].some((kept) => areOutlived(kept, begunAt, now));
  const wrapped = source?.chain === EXCHANGE_CHAIN ? source.contract : null;
  const stake = known.stake === null ? null : { chainId: known.stake.chainId, stake: known.stake.address, wrapped };
  const { moduleKeys } = known;
  const { scale, coSignFrom, lanes } = asset;
  const least = lanes.find(({ origin }) => origin === external);
  const shared = { guard, formerGuards, stake, scale, least, coSignFrom, moduleKeys };
  return { source, destination, ...shared, isOutlived };
}

/** All guards that are stated; null where nobody says since when one held. */
function guardsOf({ guard, guardFrom, formerGuards }: z.infer<typeof Organization>) {
  const former = formerGuards.map((each) => (typeof each === 'string' ? { address: each, from: null } : each));
  return [{ address: guard, from: guardFrom }, ...former];
}

/** Whoever runs the signer states when it holds: no notice is kept of that here. */
function versionsOf<Value>(
  stated: readonly { readonly value: Value; readonly from: number }[],
): readonly KeptVersion<Value>[] {
  if (new Set(stated.map(({ from }) => from)).size < stated.length)
    throw new Error('of two vaults or guards that are stated, both hold from the same time');
  return stated
    .map(({ value, from }) => ({ value, from, countsFrom: from }))
    .toSorted((one, other) => one.from - other.from);
}
