import { ed25519 } from '@noble/curves/ed25519.js';
import {
  address,
  decompileTransactionMessage,
  getAddressEncoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  type Instruction,
} from '@solana/kit';
import { expect, it } from 'vitest';
import {
  type ChainView,
  InsufficientFunds,
  RpcRefusal,
  type Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { NONCE_ACCOUNTS_MAX, nonceOf } from '../../../../domain/bridge/chains/solana/nonce-accounts.ts';
import { solana } from '../../../../domain/bridge/chains/solana/solana.ts';
import {
  addressBytes,
  addressFrom,
  addressWithSeed,
  associatedTokenAccount,
} from '../../../../domain/bridge/chains/solana/solana-programs.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { PAYERS } from './payers.ts';
import { solanaNode } from './solana-node.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const RELAYER = `0x${'11'.repeat(32)}`;
const relayer = addressFrom(ed25519.getPublicKey(Buffer.from('11'.repeat(32), 'hex')));
const home = ({ keys }: Vault) => addressFrom(Buffer.from(keys.groupKey, 'hex'));
const wallet = (seed: number) => addressFrom(ed25519.getPublicKey(new Uint8Array(32).fill(seed)));

const vaultOf =
  (token: string | null) =>
  (keys: Vault['keys']): Vault => ({
    chain: 'solana',
    network: 'mainnet',
    keys,
    contract: null,
    token,
    decimals: token === null ? 9 : 6,
  });

function nodeOf(token: string | null) {
  const node = solanaNode(token);
  node.fundSol(relayer, 100_000_000n);
  return node;
}

const shared = {
  adapter: solana,
  home,
  relayer: RELAYER,
  ...PAYERS.solana,
  addresses: [wallet(1), wallet(2)] as const,
  refused: [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    // A token account, which is nobody's wallet.
    associatedTokenAccount(wallet(1), address(MINT)),
    `0${wallet(1).slice(1)}`,
  ],
  amountMax: 2n ** 64n - 1n,
  referenceTries: 3,
  wrongMemos: (commitment: string) => [
    null,
    commitment.slice(1),
    ` ${commitment}`,
    `${commitment}\n${'a5'.repeat(32)}`,
  ],
  dearest: stating('unitPrice', () => '1000000'),
  lies: [
    ['an account that is no nonce account', stating('nonceAccount', () => '11111111111111111111111111111112'), 'now'],
  ] as const,
  greedy: (reference: string) => reference.replace(/unitPrice=\d+/, 'unitPrice=1000001'),
};

describeChain('Solana', {
  ...shared,
  vault: vaultOf(null),
  node: () => nodeOf(null),
  deposit: 2_000_000_000n,
  payout: 1_500_000_000n,
  funds: 10_000_000_000n,
});

describeChain('Solana tokens', {
  ...shared,
  vault: vaultOf(MINT),
  node: () => nodeOf(MINT),
  deposit: 2_000_000n,
  payout: 1_500_000n,
  funds: 10_000_000n,
});

it('derives token accounts as the library does', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const owner = wallet(seed);
    const [expected] = await getProgramDerivedAddress({
      programAddress: address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
      seeds: [owner, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', MINT].map((part) =>
        getAddressEncoder().encode(address(part)),
      ),
    });
    expect(associatedTokenAccount(owner, address(MINT))).toBe(expected);
  }
});

it('is void where the payment failed and its nonce is used', async () => {
  const { keys, sign } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const view = { vault, transport: node.transport, relayer: RELAYER };
  const order = { kind: 'payout', commitment: COMMITMENT, to: wallet(1), amount: '5000000000' } as const;
  await solana.referenceFor(view, { ...order, attempt: 1 }, []).catch(() => null);
  const whole = { ...order, reference: await solana.referenceFor(view, { ...order, attempt: 1 }, []) };
  node.fund(home(vault), -9_000_000_000n);
  await solana.broadcast(view, solana.complete(vault, whole, sign(solana.build(vault, whole))));
  expect(await solana.statusOf(view, whole)).toMatchObject({ state: 'void', confirmations: 1 });
});

/** A payment that has landed, and its transaction. */
async function landed() {
  const { keys, sign } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const view = { vault, transport: node.transport, relayer: RELAYER };
  const order = { ...wanted, reference: await referenceFor(view, wanted) };
  const transaction = await solana.broadcast(view, solana.complete(vault, order, sign(solana.build(vault, order))));
  const [, account = '', nonce = ''] = /nonceAccount=(\w+) nonce=(\w+)/.exec(order.reference) ?? [];
  return { node, view, order, transaction, account, nonce };
}

it('is paid, whatever strangers do with an account of theirs that has the same nonce', async () => {
  const { node, view, order, transaction, account, nonce } = await landed();
  // Accounts that are advanced in one block have one nonce.
  node.name(account, nonce);
  const paid = { state: 'paid', transaction, confirmations: 1 };
  expect(await solana.statusOf(view, order)).toEqual(paid);
  expect(await solana.statusOf(view, order, [transaction])).toEqual(paid);
});

it('is paid behind hundreds of transactions that name its account, and behind any number where its own is known', async () => {
  const { node, view, order, transaction, account } = await landed();
  for (let more = 0; more < 799; more += 1) node.name(account);
  const paid = { state: 'paid', transaction, confirmations: 1 };
  expect(await solana.statusOf(view, order)).toEqual(paid);
  for (let more = 0; more < 300; more += 1) node.name(account);
  await expect(solana.statusOf(view, order)).rejects.toThrow('no transaction is known');
  expect(await solana.statusOf(view, order, ['1'.repeat(64), transaction])).toEqual(paid);
  node.finalize();
  expect(await solana.statusOf(view, order, [transaction])).toEqual({ ...paid, confirmations: 32 });
  // What another transfer was paid by is none of it.
  const other = { ...order, to: wallet(2) };
  expect(await solana.statusOf(view, other, [transaction])).toMatchObject({ state: 'void' });
});

it('does not take a block for a nonce', async () => {
  const { keys } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const view = { vault, transport: node.transport, relayer: RELAYER };
  const order = { kind: 'payout', commitment: COMMITMENT, to: wallet(1), amount: '5' } as const;
  await solana.referenceFor(view, { ...order, attempt: 1 }, []).catch(() => null);
  const reference = await solana.referenceFor(view, { ...order, attempt: 1 }, []);
  const forged = reference.replace(/ nonce=\w+/, ` nonce=${wallet(9)}`);
  await expect(solana.statusOf(view, { ...order, reference: forged })).rejects.toThrow('no transaction is known');
});

it('finds a deposit behind a transaction of a version that it cannot read', async () => {
  const { keys } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  const place = await solana.depositPlace({ vault, transport: node.transport, relayer: null }, COMMITMENT, '5');
  node.deposit(place, 5n);
  node.deposit(place, 6n);
  let isFirst = true;
  const rpc = async (method: string, params: unknown) => {
    if (method !== 'getTransaction' || !isFirst) return node.transport.rpc(method, params);
    isFirst = false;
    throw new RpcRefusal(-32015, 'Transaction version (1) is not supported by the requesting client');
  };
  const found = await solana.deposits(
    { vault, transport: { ...node.transport, rpc }, relayer: null },
    COMMITMENT,
    PAYERS.solana.payer,
  );
  expect(found.map(({ amount }) => amount)).toEqual(['6']);
});

it('knows a nonce account of its own authority alone', () => {
  const data = Buffer.alloc(80);
  data.writeUInt32LE(1, 0);
  data.writeUInt32LE(1, 4);
  data.set(addressBytes(wallet(1)), 8);
  data.set(addressBytes(wallet(5)), 40);
  expect(nonceOf(data, wallet(1))).toBe(wallet(5));
  expect(nonceOf(data, wallet(2))).toBeNull();
  expect(nonceOf(data.subarray(1), wallet(1))).toBeNull();
  data.writeUInt32LE(0, 4);
  expect(nonceOf(data, wallet(1))).toBeNull();
});

it('needs a relayer for its nonce accounts', async () => {
  const { keys } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const order = { kind: 'payout', commitment: COMMITMENT, to: wallet(1), amount: '5', attempt: 1 } as const;
  await expect(solana.referenceFor({ vault, transport: node.transport, relayer: null }, order, [])).rejects.toThrow(
    'relayer',
  );
});

const { keys, sign } = frostCluster();

function startOf(token: string | null) {
  const vault = vaultOf(token)(keys);
  const node = nodeOf(token);
  return { vault, node, view: { vault, transport: node.transport, relayer: RELAYER } };
}

const wanted = { kind: 'payout', commitment: COMMITMENT, to: wallet(1), amount: '5', attempt: 1 } as const;

/** The first call has a nonce account made. */
async function referenceFor(
  view: ChainView,
  order: typeof wanted | (Omit<typeof wanted, 'kind'> & { kind: 'cancel' }),
) {
  await solana.referenceFor(view, order, []).catch((error) => {
    if (error instanceof InsufficientFunds) throw error;
  });
  return solana.referenceFor(view, order, []);
}

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const BUDGET = 'ComputeBudget111111111111111111111111111111';

it('asks for its work at its price, makes the token account where there is none, and pays the very token', () => {
  const { vault } = startOf(MINT);
  const from = home(vault);
  const order = { ...wanted, reference: `nonceAccount=${wallet(7)} nonce=${wallet(8)} unitPrice=3` };
  const [message] = solana.build(vault, order).messages;
  const { instructions }: { instructions: readonly Instruction[] } = decompileTransactionMessage(
    getCompiledTransactionMessageDecoder().decode(Buffer.from(message!.bytes, 'hex')),
  );
  const [own, theirs] = [from, wallet(1)].map((owner) => associatedTokenAccount(owner, address(MINT)));
  const naming = addressFrom(Uint8Array.from(Buffer.from(COMMITMENT, 'hex')));
  const number = (value: number, length: number) => Array.from({ length }, (_, at) => (value >> (8 * at)) & 255);
  expect(
    instructions.map(({ programAddress, accounts = [], data = [] }) => [
      programAddress,
      accounts.map((one) => one.address),
      [...data],
    ]),
  ).toEqual([
    [SYSTEM, [wallet(7), 'SysvarRecentB1ockHashes11111111111111111111', from], number(4, 4)],
    [BUDGET, [], [2, ...number(80_000, 4)]],
    [BUDGET, [], [3, ...number(3, 4), ...number(0, 4)]],
    ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', [from, theirs, wallet(1), MINT, SYSTEM, TOKEN], [1]],
    [TOKEN, [own, MINT, theirs, from, naming], [12, ...number(5, 4), ...number(0, 4), 6]],
  ]);
});

it.each([
  ['SOL', null, 5_000n + 80_000n + 890_880n + 5n, 0n],
  ['tokens', MINT, 5_000n + 80_000n + 890_880n + 2_039_280n, 5n],
])('pays %s where fees, and what its accounts have to keep, are left', async (_, token, lamports, tokens) => {
  for (const [less, fewer] of [[0n, 0n], [1n, 0n], ...(token === null ? [] : [[0n, 1n] as const])] as const) {
    const { node, view, vault } = startOf(token);
    if (token !== null) node.fund(home(vault), tokens - fewer);
    const has = token === null ? 0n : 1_000_000_000n;
    node.fundSol(home(vault), lamports - less - has);
    const asked = referenceFor(view, wanted);
    if (less + fewer === 0n) expect(await asked).toContain('nonce=');
    else await expect(asked).rejects.toThrow(InsufficientFunds);
  }
});

it('cancels a payment from a vault that has not what it would pay', async () => {
  for (const token of [null, MINT]) {
    const { node, view, vault } = startOf(token);
    node.fundSol(home(vault), 3_100_000n);
    expect(await referenceFor(view, { ...wanted, kind: 'cancel', amount: '999999999999' as '5' })).toContain('nonce=');
  }
});

it('offers for its work what half of the latest were content with', async () => {
  const { node, view, vault } = startOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const transport = changedAnswers(node.transport, 'getRecentPrioritizationFees', { '0.prioritizationFee': 5_000 });
  expect(await referenceFor({ ...view, transport }, wanted)).toMatch(/ unitPrice=2000$/);
});

it('takes no nonce from an account of another program, of another length, or of another owner', async () => {
  const { node, view, vault } = startOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const reference = await referenceFor(view, wanted);
  const order = { ...wanted, reference };
  expect(await solana.statusOf(view, order)).toEqual({ state: 'unspent' });
  const foreign = Buffer.alloc(80);
  foreign.writeUInt32LE(1, 4);
  for (const changes of [{ 'value.0.owner': TOKEN }, { 'value.0.data.0': foreign.toString('base64') }]) {
    const transport = changedAnswers(node.transport, 'getMultipleAccounts', changes);
    await expect(solana.statusOf({ ...view, transport }, order)).rejects.toThrow('no transaction is known');
    // The next is asked for: it is made, or was made before.
    await solana.referenceFor({ ...view, transport }, wanted, []).catch(() => null);
    const other = await solana.referenceFor({ ...view, transport }, wanted, []);
    expect(other.split(' ')[0]).not.toBe(reference.split(' ')[0]);
  }
  const more = changedAnswers(node.transport, 'getMultipleAccounts', { value: [] });
  await expect(solana.statusOf({ ...view, transport: more }, order)).rejects.toThrow('answered for other accounts');
  const data = Buffer.alloc(81);
  data.writeUInt32LE(1, 4);
  data.set(addressBytes(wallet(1)), 8);
  expect(nonceOf(data, wallet(1))).toBeNull();
});

it('makes its nonce accounts also where a stranger has paid to their addresses', async () => {
  const { node, view, vault } = startOf(null);
  node.fund(home(vault), 10_000_000_000n);
  node.fundSol(relayer, 1_000_000_000n);
  for (let index = 0; index < NONCE_ACCOUNTS_MAX; index += 1)
    node.fundSol(addressWithSeed(relayer, `${home(vault).slice(0, 24)}:${index}`), 890_880n);
  const taken: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    await expect(solana.referenceFor(view, wanted, taken)).rejects.toThrow('is being made');
    taken.push(await solana.referenceFor(view, wanted, taken));
  }
  expect(new Set(taken).size).toBe(2);
});

it('has so many nonce accounts and no more', async () => {
  const { node, view, vault } = startOf(null);
  node.fund(home(vault), 10_000_000_000n);
  node.fundSol(relayer, 1_000_000_000n);
  const taken: string[] = [];
  for (let count = 0; count < NONCE_ACCOUNTS_MAX; count += 1) {
    await solana.referenceFor(view, wanted, taken).catch(() => null);
    taken.push(await solana.referenceFor(view, wanted, taken));
  }
  expect(new Set(taken).size).toBe(NONCE_ACCOUNTS_MAX);
  await expect(solana.referenceFor(view, wanted, taken)).rejects.toThrow('every nonce account of the vault is in use');
});

const memo = getBase58Decoder().decode(Buffer.from(COMMITMENT));

it.each<[string, string | null, AnswerChanges, number]>([
  ['that failed, whatever its list says', null, { 'meta.err': { InstructionError: [0, 'Custom'] } }, 0],
  [
    'with a second memo inside of another program',
    null,
    { 'meta.innerInstructions': [{ instructions: [{ programIdIndex: 3, data: memo }] }] },
    0,
  ],
  [
    'beside which a program calls another than the memo',
    null,
    { 'meta.innerInstructions': [{ instructions: [{ programIdIndex: 2, data: memo }] }] },
    1,
  ],
  ['that names an account of ten million SOL', null, { 'meta.postBalances.0': 1e16, 'meta.preBalances.0': 1e16 }, 1],
  ['of another token', MINT, { 'meta.postTokenBalances.0.mint': wallet(3) }, 0],
  ['to an account that somebody else has by now', MINT, { 'meta.postTokenBalances.0.owner': wallet(3) }, 0],
  ['to another account', MINT, { 'meta.postTokenBalances.0.accountIndex': 2 }, 0],
])('of a transaction %s counts what is the vault’s', async (_, token, changes, count) => {
  const { node, view, vault } = startOf(token);
  node.deposit(await solana.depositPlace(view, COMMITMENT, '5'), 5n);
  expect(await solana.deposits(view, COMMITMENT, PAYERS.solana.payer)).toHaveLength(1);
  const transport = changedAnswers(node.transport, 'getTransaction', changes);
  expect(await solana.deposits({ vault, transport, relayer: null }, COMMITMENT, PAYERS.solana.payer)).toHaveLength(
    count,
  );
});

it('takes what several have signed for each one’s deposit, and names nobody whom it can be given back to', async () => {
  const { node, view } = startOf(null);
  const { payer, stranger } = PAYERS.solana;
  node.coSignBy(stranger);
  node.deposit(await solana.depositPlace(view, COMMITMENT, '5'), 5n);
  for (const from of [payer, stranger, null]) {
    const [deposit] = await solana.deposits(view, COMMITMENT, from);
    expect(deposit).toMatchObject({ amount: '5' });
    expect(deposit?.payer).toBeUndefined();
  }
});

it('finds a deposit behind a thousand of strangers that name its commitment', { timeout: 400_000 }, async () => {
  const { node, view } = startOf(null);
  const { payer, stranger } = PAYERS.solana;
  const place = await solana.depositPlace(view, COMMITMENT, '5');
  node.payBy?.(stranger);
  for (let count = 0; count < 1_000; count++) node.deposit(place, 1n);
  const asked: string[] = [];
  const rpc = (method: string, params: unknown) => {
    asked.push(method);
    return view.transport.rpc(method, params);
  };
  const watched = { ...view, transport: { ...view.transport, rpc } };
  await expect(solana.deposits(watched, COMMITMENT, payer)).rejects.toThrow(
    'more transactions than are looked through',
  );
  expect(asked.filter((method) => method === 'getTransaction')).toHaveLength(800);
  node.payBy?.(payer);
  node.deposit(place, 5n);
  expect((await solana.deposits(view, COMMITMENT, payer)).map(({ amount }) => amount)).toEqual(['5']);
});

it('takes a memo alone for no deposit', async () => {
  const { node, view } = startOf(null);
  node.deposit(await solana.depositPlace(view, COMMITMENT, '5'), 0n);
  expect(await solana.deposits(view, COMMITMENT, PAYERS.solana.payer)).toEqual([]);
});

it('hands in again what the chain has, and says where it refuses', async () => {
  const { node, view, vault } = startOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const order = { ...wanted, reference: await referenceFor(view, wanted) };
  const payment = solana.complete(vault, order, sign(solana.build(vault, order)));
  const refusing = (error: Error) => ({ ...view, transport: { ...node.transport, rpc: () => Promise.reject(error) } });
  const known = new RpcRefusal(-32002, 'This transaction has already been processed');
  expect(await solana.broadcast(refusing(known), payment)).toBe(payment.transaction);
  for (const error of [new RpcRefusal(-32003, 'Blockhash not found'), new Error('already processed')])
    await expect(solana.broadcast(refusing(error), payment)).rejects.toThrow(error.message);
});
