import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';
import { encodeMuxedAccount, encodeMuxedAccountToAddress, StrKey } from '@stellar/stellar-base';
import { Address as TonAddress } from '@ton/core';
import { Address as AlgorandAddress } from 'algosdk';
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query';
import { classicAddressToXAddress } from 'ripple-address-codec';
import { expect, test, vi } from 'vitest';
import { utxoScript } from '../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import { type ChainTransport, RpcRefusal, type Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import type { ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { requirePayee } from '../../../domain/bridge/chains/payees/require-payee.ts';
import { addressFrom } from '../../../domain/bridge/chains/solana/solana-programs.ts';
import { walletAddress } from '../../../domain/bridge/chains/ton/ton-wallet.ts';
import { xrplAccountOf } from '../../../domain/bridge/chains/xrpl/xrpl-address.ts';
import { multisigCluster } from '../../node/bridge/chains-accounts/multisig-cluster.ts';

// The first use of each adapter loads its libraries.
vi.setConfig({ testTimeout: 400_000 });

const key = (fill: number) => ed25519.getPublicKey(new Uint8Array(32).fill(fill));
const GROUP_KEY = bytesToHex(key(9));
const SOMEBODY = bytesToHex(key(1));

function vaultOn(chain: ChainName, change: Partial<Vault> = {}): Vault {
  const keys = { scheme: 'frost-ed25519', groupKey: GROUP_KEY, signerKeys: [] } as const;
  return { chain, network: 'mainnet', keys, contract: null, token: null, decimals: 6, ...change };
}

/** A node that answers by what it is asked: of JSON-RPC the method, else the path. What has no answer here is none that it knows. */
function nodeOf(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const answer = async (to: string): Promise<unknown> => {
    asked.push(to);
    const known = Object.entries(answers).find(([begins]) => to.startsWith(begins));
    if (known === undefined) throw new RpcRefusal(404, 'UNKNOWN_ACCOUNT actNotFound');
    if (known[1] instanceof Error) throw known[1];
    return known[1];
  };
  const transport: ChainTransport = {
    rpc: (method, params) =>
      answer(method === 'abci_query' ? `${method} ${(params as { path: string }).path}` : callOf(method, params)),
    get: answer,
    post: answer,
  };
  return { asked, transport };
}

function callOf(method: string, params: unknown): string {
  const data = method === 'eth_call' ? (params as [{ data: string }])[0].data : '';
  return `${method} ${data}`.trim();
}

function faultOf(vault: Vault, to: string, answers: Readonly<Record<string, unknown>> = {}) {
  const { transport } = nodeOf(answers);
  return chainCalls({ transportOf: () => transport, custodyOf: () => transport, relayer: null }).payeeFault(vault, to);
}

const wallet = (owner: string, data = '', executable = false) => ({
  getMultipleAccounts: { value: [{ data: [data, 'base64'], owner, executable }] },
});
const SYSTEM = '11111111111111111111111111111111';
const TOKENS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

test('B-09: on Solana an account is paid that the system program owns, or that does not exist yet', async () => {
  const to = addressFrom(key(1));
  const vault = vaultOn('solana', { token: addressFrom(key(3)) });
  expect(await faultOf(vault, to, { getMultipleAccounts: { value: [null] } })).toBeNull();
  expect(await faultOf(vault, to, wallet(SYSTEM))).toBeNull();
  // A mint or token account, a program on the curve, a nonce account.
  expect(await faultOf(vault, to, wallet(TOKENS, 'AAAA'))).toBe('program');
  expect(await faultOf(vault, to, wallet(TOKENS))).toBe('program');
  expect(await faultOf(vault, to, wallet('BPFLoaderUpgradeab1e11111111111111111111111', '', true))).toBe('program');
  expect(await faultOf(vault, to, wallet(SYSTEM, 'AAAA'))).toBe('program');
  expect(await faultOf(vault, vault.token ?? '')).toBe('own');
  expect(await faultOf(vault, addressFrom(key(9)))).toBe('own');
  await expect(faultOf(vault, to, {})).rejects.toThrow();
});

test('B-09: on EVM chains tokens are not paid, nor what the bridge has there; wallets that are contracts are', async () => {
  const [to, contract, token] = [
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    `0x${'1b'.repeat(19)}5e`,
    `0x${'2c'.repeat(19)}5e`,
  ];
  const vault = vaultOn('base', { contract, token });
  const word = `0x${'0'.repeat(63)}6`;
  expect(await faultOf(vault, to, { eth_getCode: '0x' })).toBeNull();
  expect(await faultOf(vault, to, { eth_getCode: `0xef0100${'ab'.repeat(20)}` })).toBeNull();
  expect(await faultOf(vault, to, { eth_getCode: '0x6080', eth_call: '0x' })).toBeNull();
  expect(await faultOf(vault, to, { eth_getCode: '0x6080', eth_call: new RpcRefusal(3, 'reverted') })).toBeNull();
  expect(await faultOf(vault, to, { eth_getCode: '0x6080', 'eth_call 0x18160ddd': word, eth_call: '0x' })).toBeNull();
  expect(await faultOf(vault, to, { eth_getCode: '0x6080', eth_call: word })).toBe('program');
  await expect(faultOf(vault, to, { eth_getCode: '0x6080', eth_call: new Error('away') })).rejects.toThrow('away');
  const { getAddress } = await import('viem/utils');
  for (const own of [contract, token]) expect(await faultOf(vault, getAddress(own))).toBe('own');
});

test('B-09: on the XRP Ledger accounts of the ledger itself and blackholed ones are not paid', async () => {
  const to = 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq';
  const issuer = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
  const vault = vaultOn('xrpl', { token: `USD.${issuer}` });
  const account = (account_data: object, more: object = {}) => ({ account_info: { account_data, ...more } });
  expect(await faultOf(vault, to)).toBeNull();
  expect(await faultOf(vault, to, account({ Flags: 0 }))).toBeNull();
  const off = { Flags: 0x0010_0000 };
  expect(await faultOf(vault, to, account(off))).toBe('locked');
  expect(await faultOf(vault, to, account({ ...off, RegularKey: 'rrrrrrrrrrrrrrrrrrrrBZbvji' }))).toBe('locked');
  expect(await faultOf(vault, to, account({ ...off, RegularKey: issuer }))).toBeNull();
  expect(await faultOf(vault, to, account(off, { signer_lists: [{}] }))).toBeNull();
  expect(await faultOf(vault, to, account({ ...off, signer_lists: [{}] }))).toBeNull();
  for (const id of ['AMMID', 'VaultID', 'LoanBrokerID'])
    expect(await faultOf(vault, to, account({ Flags: 0, [id]: 'AB' }))).toBe('program');
  const home = xrplAccountOf(GROUP_KEY);
  for (const own of [issuer, home, classicAddressToXAddress(home, 7, false)])
    expect(await faultOf(vault, own)).toBe('own');
});

test('B-09: on Stellar an account is paid whose signers can still make a payment', async () => {
  const [to, issuer, home] = [1, 3, 9].map((fill) => StrKey.encodeEd25519PublicKey(Buffer.from(key(fill)))) as [
    string,
    string,
    string,
  ];
  const vault = vaultOn('stellar', { token: `USD:${issuer}`, decimals: 7 });
  const account = (weights: number[], med_threshold: number) => ({
    '/accounts/': { signers: weights.map((weight) => ({ weight })), thresholds: { med_threshold } },
  });
  expect(await faultOf(vault, to)).toBeNull();
  expect(await faultOf(vault, to, account([1], 0))).toBeNull();
  expect(await faultOf(vault, to, account([0, 1, 1], 2))).toBeNull();
  expect(await faultOf(vault, to, account([0], 0))).toBe('locked');
  expect(await faultOf(vault, to, account([1, 1], 3))).toBe('locked');
  for (const own of [issuer, home, encodeMuxedAccountToAddress(encodeMuxedAccount(home, '7'), true)])
    expect(await faultOf(vault, own)).toBe('own');
});

test('B-09: on Algorand an account is paid whose key, or that of another in its place, somebody has', async () => {
  const [to, other, home] = [1, 2, 9].map((fill) => new AlgorandAddress(key(fill)).toString()) as [
    string,
    string,
    string,
  ];
  const vault = vaultOn('algorand');
  const zero = new AlgorandAddress(new Uint8Array(32)).toString();
  expect(await faultOf(vault, to, { '/algod/v2/accounts/': {} })).toBeNull();
  expect(await faultOf(vault, to, { '/algod/v2/accounts/': { 'auth-addr': other } })).toBeNull();
  expect(await faultOf(vault, to, { '/algod/v2/accounts/': { 'auth-addr': zero } })).toBe('locked');
  expect(await faultOf(vault, home)).toBe('own');
});

test('B-09: on TON jettons and their wallets are not paid, nor the vault in either form of its address', async () => {
  const to = new TonAddress(0, Buffer.from(key(1))).toString();
  const vault = vaultOn('ton');
  const none = { '/api/v3/jetton/masters': { jetton_masters: [] }, '/api/v3/jetton/wallets': { jetton_wallets: [] } };
  expect(await faultOf(vault, to, none)).toBeNull();
  expect(await faultOf(vault, to, { ...none, '/api/v3/jetton/masters': { jetton_masters: [{}] } })).toBe('program');
  expect(await faultOf(vault, to, { ...none, '/api/v3/jetton/wallets': { jetton_wallets: [{}] } })).toBe('program');
  for (const bounceable of [true, false])
    expect(await faultOf(vault, walletAddress(GROUP_KEY).toString({ bounceable }))).toBe('own');
});

test('B-09: on NEAR an account is paid that has a key with full access; a name has to be somebody’s', async () => {
  const vault = vaultOn('near');
  const keys = (...permissions: unknown[]) => ({
    query: { keys: permissions.map((permission) => ({ access_key: { permission } })) },
  });
  expect(await faultOf(vault, SOMEBODY)).toBeNull();
  expect(await faultOf(vault, 'nobody.near')).toBe('missing');
  expect(await faultOf(vault, 'alice.near', keys('FullAccess'))).toBeNull();
  expect(await faultOf(vault, 'token.near', keys())).toBe('program');
  expect(await faultOf(vault, 'token.near', keys({ FunctionCall: {} }))).toBe('program');
  expect(await faultOf(vault, GROUP_KEY)).toBe('own');
});

test('on NEAR a contract without such a key is paid that says who spends there: a DAO, several keys, a lockup', async () => {
  const keys = (...permissions: unknown[]) => ({
    keys: permissions.map((permission) => ({ access_key: { permission } })),
  });
  const view = (value: unknown) => ({ result: [...new TextEncoder().encode(JSON.stringify(value))] });
  const policy = { roles: [{ name: 'council' }], proposal_bond: '1' };
  const metadata = { spec: 'ft-1.0.0' };
  const call = { FunctionCall: {} };
  const faultAt = async (views: Readonly<Record<string, unknown>>, ...own: unknown[]) => {
    const rpc = async (_: string, params: unknown) => {
      const { request_type: type, account_id: account, method_name: method = '' } = params as Record<string, string>;
      if (type === 'view_access_key_list') return account === 'alice.near' ? keys('FullAccess') : keys(...own);
      if (views[method] instanceof Error) throw views[method];
      if (views[method] === undefined) throw new RpcRefusal(-32_000, 'CONTRACT_EXECUTION_ERROR MethodNotFound');
      return view(views[method]);
    };
    const transport = { ...nodeOf({}).transport, rpc };
    const calls = chainCalls({ transportOf: () => transport, custodyOf: () => transport, relayer: null });
    return calls.payeeFault(vaultOn('near'), 'contract.near');
  };
  expect(await faultAt({})).toBe('program');
  expect(await faultAt({ get_policy: policy })).toBeNull();
  expect(await faultAt({ get_policy: policy, ft_metadata: metadata })).toBe('program');
  for (const other of [{ ...policy, roles: [] }, 'policy', null])
    expect(await faultAt({ get_policy: other })).toBe('program');
  expect(await faultAt({ get_num_confirmations: 2 }, call, call)).toBeNull();
  expect(await faultAt({ get_num_confirmations: 2, get_members: [{}, {}] }, call)).toBeNull();
  expect(await faultAt({ get_num_confirmations: 2 }, call)).toBe('locked');
  expect(await faultAt({ get_owner_account_id: 'alice.near' }, call)).toBeNull();
  for (const owner of ['contract.near', 'nobody.near', 7])
    expect(await faultAt({ get_owner_account_id: owner })).toBe('program');
  await expect(faultAt({ get_policy: new Error('away') })).rejects.toThrow('away');
  await expect(faultAt({ ft_metadata: new RpcRefusal(429, 'too many requests') })).rejects.toThrow('too many');
});

test('B-09: on Sui and Aptos objects are not paid', async () => {
  const to = `0x${SOMEBODY}`;
  const data = (object: unknown) => ({ '/graphql': { data: { object } } });
  expect(await faultOf(vaultOn('sui'), to, data(null))).toBeNull();
  expect(await faultOf(vaultOn('sui'), to, data({ address: to }))).toBe('program');
  const account = (authentication_key: string) => ({ [`/v1/accounts/${to}`]: { authentication_key } });
  const noObject = { [`/v1/accounts/${to}/resource`]: new RpcRefusal(404, 'resource_not_found') };
  expect(await faultOf(vaultOn('aptos'), to)).toBeNull();
  expect(await faultOf(vaultOn('aptos'), to, { ...noObject, ...account(to) })).toBeNull();
  expect(await faultOf(vaultOn('aptos'), to, { ...noObject, ...account(`0x${'0'.repeat(64)}`) })).toBe('program');
  expect(await faultOf(vaultOn('aptos'), to, { [`/v1/accounts/${to}/resource`]: {} })).toBe('program');
});

test('on Aptos an account of several owners is paid, whose key is none, as long as enough of them can sign', async () => {
  const to = `0x${SOMEBODY}`;
  const faultAt = (owners: readonly string[], needed: string, more: object = {}) =>
    faultOf(vaultOn('aptos'), to, {
      [`/v1/accounts/${to}/resource/0x1::multisig_account::MultisigAccount`]: {
        data: { owners, num_signatures_required: needed },
      },
      [`/v1/accounts/${to}/resource`]: new RpcRefusal(404, 'resource_not_found'),
      [`/v1/accounts/${to}`]: { authentication_key: `0x${'0'.repeat(64)}` },
      ...more,
    });
  const [one, two] = [`0x${bytesToHex(key(2))}`, `0x${bytesToHex(key(3))}`];
  expect(await faultAt([one, two], '2')).toBeNull();
  expect(await faultAt([one], '1')).toBeNull();
  for (const owners of [[one], [one, one], [one, to], [one, '0x0']]) expect(await faultAt(owners, '2')).toBe('program');
  await expect(faultAt([one], '0')).rejects.toThrow('another form');
});

test('B-09: on Tron contracts that are tokens are not paid', async () => {
  const to = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
  const vault = vaultOn('tron', {
    contract: 'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY',
    token: 'TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS',
  });
  expect(await faultOf(vault, to, { '/wallet/getaccount': {} })).toBeNull();
  await expect(faultOf(vault, to, { '/wallet/getaccount': { type: 'Contract' } })).rejects.toThrow();
  for (const own of [vault.contract, vault.token]) expect(await faultOf(vault, own ?? '')).toBe('own');
});

test('on Tron a contract that is no token is paid tokens, and none is paid the coin, which the chain does not take there', async () => {
  const to = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
  const vault = vaultOn('tron', {
    contract: 'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY',
    token: 'TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS',
  });
  const contract = (called: unknown) => ({
    '/wallet/getaccount': { type: 'Contract' },
    '/wallet/triggerconstantcontract': called,
  });
  const reverted = { result: { result: true, message: 'REVERT opcode executed' }, constant_result: [''] };
  const word = { result: { result: true }, constant_result: ['6'.padStart(64, '0')] };
  expect(await faultOf(vault, to, contract(reverted))).toBeNull();
  expect(await faultOf(vault, to, contract(word))).toBe('program');
  expect(await faultOf({ ...vault, token: null }, to, contract(reverted))).toBe('program');
  await expect(faultOf(vault, to, contract({ result: { code: 'OTHER_ERROR' } }))).rejects.toThrow();
});

test('B-09: on the Cosmos Hub accounts of modules and contracts are not paid', async () => {
  const { keys } = multisigCluster();
  const vault = vaultOn('cosmos', { keys });
  const addressOf = (bytes: Uint8Array) => bech32.encode('cosmos', bech32.toWords(bytes));
  const to = addressOf(new Uint8Array(20).fill(7));
  const account = (typeUrl: string) => {
    const value = Buffer.from(
      QueryAccountResponse.encode({ account: { typeUrl, value: new Uint8Array() } }).finish(),
    ).toString('base64');
    return { 'abci_query /cosmos.auth': { response: { code: 0, value } } };
  };
  const noContract = { 'abci_query /cosmwasm': { response: { code: 22 } } };
  const unknown = { 'abci_query /cosmos.auth': { response: { code: 22 } } };
  expect(await faultOf(vault, to, { ...unknown, ...noContract })).toBeNull();
  expect(await faultOf(vault, to, { ...account('/cosmos.auth.v1beta1.BaseAccount'), ...noContract })).toBeNull();
  expect(await faultOf(vault, to, account('/cosmos.auth.v1beta1.ModuleAccount'))).toBe('program');
  expect(await faultOf(vault, to, account('/ibc.applications.interchain_accounts.v1.InterchainAccount'))).toBe(
    'program',
  );
  expect(await faultOf(vault, to, { ...unknown, 'abci_query /cosmwasm': { response: { code: 0 } } })).toBe('program');
  await expect(faultOf(vault, to, { 'abci_query /cosmos.auth': { response: { code: 1 } } })).rejects.toThrow();
  for (const name of ['gov', 'distribution', 'bonded_tokens_pool', 'fee_collector'])
    expect(await faultOf(vault, addressOf(sha256(Buffer.from(name)).subarray(0, 20)))).toBe('keyless');
  // Published of the bonded pool and of governance.
  for (const module of [
    'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh',
    'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
  ])
    expect(await faultOf(vault, module)).toBe('keyless');
});

test('B-09: on Cardano a script is paid that the chain knows as signatures alone', async () => {
  const vault = vaultOn('cardano');
  const script = 'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx';
  expect(await faultOf(vault, 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8')).toBeNull();
  expect(await faultOf(vault, script)).toBe('program');
  expect(await faultOf(vault, script, { '/scripts/': { type: 'timelock' } })).toBeNull();
  expect(await faultOf(vault, script, { '/scripts/': { type: 'plutusV2' } })).toBe('program');
});

test('B-09: an output of the vault is not paid as somebody’s', async () => {
  for (const chain of ['bitcoin-segwit', 'bitcoin-legacy', 'litecoin', 'dogecoin', 'bitcoin-cash'] as const) {
    const vault = vaultOn(chain, { keys: multisigCluster().keys, decimals: 8 });
    const home = utxoScript(vault, null).address;
    expect([chain, await faultOf(vault, home)]).toEqual([chain, 'own']);
    expect(await faultOf(vault, utxoScript(vault, '5a'.repeat(32)).address)).toBeNull();
  }
});

test('B-09: a signer looks at who is paid before it signs a payout, and lets what goes back go', async () => {
  const asked: string[] = [];
  const payeeFault = async (_: Vault, to: string) => {
    asked.push(to);
    return to === 'token' ? ('program' as const) : null;
  };
  const vault = vaultOn('solana');
  await requirePayee({ payeeFault }, vault, { kind: 'payout', to: 'alice' });
  await expect(requirePayee({ payeeFault }, vault, { kind: 'payout', to: 'token' })).rejects.toThrow(RangeError);
  await requirePayee({ payeeFault }, vault, { kind: 'refund', to: 'token' });
  await requirePayee({ payeeFault }, vault, { kind: 'cancel', to: '' });
  expect(asked).toEqual(['alice', 'token']);
});
