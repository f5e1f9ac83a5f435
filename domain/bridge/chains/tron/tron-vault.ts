import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../transfer.ts';
import { type ChainTransport, InsufficientFunds, type Vault } from '../chain-adapter.ts';
import { tronHexOfKey } from './tron-address.ts';
import { type Account, type Permission, type TronBlock, tronGrid } from './tron-grid.ts';
import { tronHome } from './tron-payment.ts';

/** The first block of Tron's main network. */
const MAINNET_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';

/**
 * The vault's account, once its own node has shown that nobody but three of the five signers moves what is in it, or ever could: each of its permissions is theirs, and the first transaction that it ever
 * sent is the one that made them so. Whoever made the account can have let nobody spend its tokens before.
 *
 * @throws InsufficientFunds where the account does not exist
 * @throws Error where it is not the signers' alone, or the node is of another network
 */
export async function requireTronVault(vault: Vault, transport: ChainTransport): Promise<Account> {
  const [grid, home] = [tronGrid(transport), tronHome(vault)];
  requireNetwork(vault, await grid.solidBlock(0n));
  const account = await grid.account(home);
  if (account === null) throw new InsufficientFunds('the account of the vault does not exist');
  const signers = signerAddresses(vault);
  const { owner_permission: owner, active_permission: actives } = account;
  if (owner === undefined || !areOf(signers, [owner, ...actives]) || account.witness_permission !== undefined)
    throw new Error('the account of the vault is not the five signers’ alone');
  const first = (await grid.firstSent(home))?.contract;
  if (first?.type !== 'AccountPermissionUpdateContract')
    throw new Error('the account of the vault has sent something before it was the five signers’');
  const { owner: made, actives: madeActives, owner_address: sender } = first.parameter.value;
  if (sender !== home || !areOf(signers, [made, ...madeActives]))
    throw new Error('the account of the vault was somebody else’s first');
  return account;
}

/** @throws Error where the block is the first of another network than the vault's */
function requireNetwork({ network }: Vault, { id }: TronBlock): void {
  if ((network === 'mainnet') !== (id === MAINNET_GENESIS)) throw new Error('the node is of another network');
}

function signerAddresses({ keys }: Vault): ReadonlySet<string> {
  const addresses = new Set(keys.signerKeys.map(tronHexOfKey));
  if (addresses.size !== CLUSTER_SIZE) throw new RangeError('no keys of the vault');
  return addresses;
}

/** Whether each permission is three of the five, one voice each. */
function areOf(signers: ReadonlySet<string>, permissions: readonly Permission[]): boolean {
  return permissions.every(({ threshold, keys }) => {
    const own = new Set(keys.filter(({ address }) => signers.has(address)).map(({ address }) => address));
    const isOneVoiceEach = keys.every(({ weight }) => weight === 1);
    return (
      threshold === CLUSTER_THRESHOLD && isOneVoiceEach && keys.length === CLUSTER_SIZE && own.size === CLUSTER_SIZE
    );
  });
}
