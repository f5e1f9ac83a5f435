import { decodeAccountID, encodeXAddress } from 'ripple-address-codec';
import { decode } from 'ripple-binary-codec';
import { expect, it } from 'vitest';
import { InsufficientFunds, type PaymentOrder, type Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { xrpl } from '../../../../domain/bridge/chains/xrpl/xrpl.ts';
import { xrplAccountOf } from '../../../../domain/bridge/chains/xrpl/xrpl-address.ts';
import { unitsOfDecimal } from '../../../../domain/bridge/chains/xrpl/xrpl-amount.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, OTHER_COMMITMENT, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { PAYERS } from './payers.ts';
import { placeAt } from './place-at.ts';
import { xrplNode } from './xrpl-node.ts';

const ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B';
const BOB = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const home = ({ keys }: Vault) => xrplAccountOf(keys.groupKey);
const tagged = (test: boolean) => encodeXAddress(decodeAccountID(BOB), 12_345, test);

const vaultOf =
  (token: string | null) =>
  (keys: Vault['keys']): Vault => ({
    chain: 'xrpl',
    network: 'mainnet',
    keys,
    contract: null,
    token,
    decimals: 6,
  });

const shared = {
  adapter: xrpl,
  home,
  ...PAYERS.xrpl,
  addresses: [BOB, 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq', tagged(false)] as const,
  refused: [
    tagged(true),
    '0x52908400098527886E0F7030069857D2E4169EE7',
    BOB.slice(0, -1),
    `${BOB.slice(0, -1)}a`,
    BOB.toUpperCase(),
  ],
  wrongMemos: (commitment: string) => [
    null,
    commitment.slice(2),
    `${commitment}\n${OTHER_COMMITMENT}`,
    `x${commitment}`,
  ],
  dearest: stating('fee', () => '20000'),
  lies: [
    ['a sequence far ahead', stating('sequence', more(2_000n)), 'now'],
    ['a ledger to come', stating('ledger', more(1_000n)), 'now'],
  ] as const,
  greedy: (reference: string) => reference.replace(/fee=\d+/, 'fee=20001'),
};

describeChain('XRP', {
  ...shared,
  vault: vaultOf(null),
  node: () => xrplNode(null),
  deposit: 25_000_000n,
  payout: 20_000_000n,
  funds: 100_000_000n,
  amountMax: 10n ** 17n,
});

describeChain('tokens of the XRP Ledger', {
  ...shared,
  vault: vaultOf(`USD.${ISSUER}`),
  node: () => xrplNode({ currency: 'USD', issuer: ISSUER }),
  deposit: 25_000_001n,
  payout: 20_000_010n,
  funds: 100_000_000n,
  amountMax: 10n ** 15n,
  placeMax: 10n ** 17n,
});

const { keys, sign } = frostCluster();

it("pays to an exchange's customer by its tag", () => {
  const vault = vaultOf(null)(keys);
  const order: PaymentOrder = {
    kind: 'payout',
    commitment: COMMITMENT,
    to: tagged(false),
    amount: '5',
    reference: 'sequence=7 fee=12 ledger=1',
  };
  const { raw } = xrpl.complete(vault, order, sign(xrpl.build(vault, order)));
  expect(xrplNode(null).decode(raw)).toEqual({ to: `${BOB}:12345`, amount: 5n });
});

it.each([
  ['by its invoice, whatever its memo says', { InvoiceID: COMMITMENT.toUpperCase() }, {}, 1],
  ['with the invoice of another', { InvoiceID: OTHER_COMMITMENT.toUpperCase() }, {}, 0],
  ['what arrived alone, of a partial payment', {}, { delivered_amount: '7' }, 1],
  ['nothing of a payment that failed', {}, { TransactionResult: 'tecPATH_DRY' }, 0],
  [
    'no token that calls itself otherwise',
    {},
    { delivered_amount: { currency: 'XRP', issuer: ISSUER, value: '9' } },
    0,
  ],
  ['nothing whose amount is not known', {}, { delivered_amount: 'unavailable' }, 0],
])('counts a deposit %s', async (_, tx, meta, count) => {
  const vault = vaultOf(null)(keys);
  const node = xrplNode(null);
  const view = { vault, transport: node.transport, relayer: null };
  const place = await xrpl.depositPlace(view, COMMITMENT, '9');
  const base = { TransactionType: 'Payment', Account: ISSUER, Destination: place.address, Sequence: 1, ...tx };
  const deposit = node.deposit as (place: object, amount: bigint, memo: string | null, change: object) => void;
  const Memos = [{ Memo: { MemoData: COMMITMENT.toUpperCase() } }];
  deposit(place, 9n, null, {
    tx_json: { ...base, Memos },
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '9', ...meta },
  });
  const found = await xrpl.deposits(view, COMMITMENT, ISSUER);
  expect(found).toHaveLength(count);
  if (count === 1) expect(found[0]!.amount).toBe('delivered_amount' in meta ? '7' : '9');
});

it('waits for the payment before, and says void of one that failed', async () => {
  const vault = vaultOf(null)(keys);
  const node = xrplNode(null);
  node.fund(home(vault), 50_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const order = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '40000000', attempt: 1 } as const;
  const first = { ...order, reference: await xrpl.referenceFor(view, order, []) };
  const second = { ...order, reference: await xrpl.referenceFor(view, order, [first.reference]) };
  await xrpl.broadcast(view, xrpl.complete(vault, second, sign(xrpl.build(vault, second))));
  expect(await xrpl.statusOf(view, second)).toEqual({ state: 'unspent' });
  await xrpl.broadcast(view, xrpl.complete(vault, first, sign(xrpl.build(vault, first))));
  expect(await xrpl.statusOf(view, first)).toMatchObject({ state: 'paid' });
  expect(await xrpl.statusOf(view, second)).toMatchObject({ state: 'void' });
});

it.each([
  ['12.345678', 12_345_678n],
  ['1e-6', 1n],
  ['1e-7', 0n],
  ['12345e2', 1_234_500_000_000n],
  ['0.0000019', 1n],
  ['-5', null],
  ['five', null],
])('reads %s of a token', (text, units) => expect(unitsOfDecimal(text, 6)).toBe(units));

// The account of the root key of a network that starts alone, by its Ed25519 seed: XRPL documentation, "Cryptographic Keys".
it('knows the account of a key', () => {
  expect(xrplAccountOf('9434799226374926EDA3B54B1B461B4ABF7237962EAE18528FEA67595397FA32'.toLowerCase())).toBe(
    'rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN',
  );
});

const usd = (change: object) => ({ currency: 'USD', issuer: ISSUER, value: '25', ...change });

it.each<[string, string | null, AnswerChanges]>([
  ['that another account got', null, { 'tx_json.Destination': BOB }],
  ['that the vault sent', null, { 'tx_json.Account': home({ keys } as Vault) }],
  ['that is no payment', null, { 'tx_json.TransactionType': 'EscrowFinish' }],
  ['that is in no validated ledger', null, { validated: false }],
  ['with two memos', null, { 'tx_json.Memos': [1, 2].map(() => ({ Memo: { MemoData: COMMITMENT.toUpperCase() } })) }],
  ['of a token instead of XRP', null, { 'meta.delivered_amount': usd({}) }],
  ['of XRP instead of a token', `USD.${ISSUER}`, { 'meta.delivered_amount': '25' }],
  ['of a token of another issuer', `USD.${ISSUER}`, { 'meta.delivered_amount': usd({ issuer: BOB }) }],
  ['of another token of the issuer', `USD.${ISSUER}`, { 'meta.delivered_amount': usd({ currency: 'EUR' }) }],
])('counts no deposit %s', async (_, token, changes) => {
  const vault = vaultOf(token)(keys);
  const node = xrplNode(token === null ? null : { currency: 'USD', issuer: ISSUER });
  node.deposit(placeAt(xrpl, vault, COMMITMENT, '25'), 25n);
  const found = (transport: typeof node.transport) =>
    xrpl.deposits({ vault, transport, relayer: null }, COMMITMENT, PAYERS.xrpl.payer);
  expect(await found(node.transport)).toHaveLength(1);
  const inFirst = Object.fromEntries(Object.entries(changes).map(([path, value]) => [`transactions.0.${path}`, value]));
  expect(await found(changedAnswers(node.transport, 'account_tx', inFirst))).toEqual([]);
});

it.each<[string, AnswerChanges]>([
  ['of another account', { 'transactions.0.tx_json.Account': BOB }],
  ['of another sequence', { 'transactions.0.tx_json.Sequence': 9 }],
])('takes no transaction %s for its payment', async (_, changes) => {
  const vault = vaultOf(null)(keys);
  const node = xrplNode(null);
  node.fund(home(vault), 50_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '5', attempt: 1 } as const;
  const order = { ...wanted, reference: await xrpl.referenceFor(view, wanted, []) };
  await xrpl.broadcast(view, xrpl.complete(vault, order, sign(xrpl.build(vault, order))));
  expect(await xrpl.statusOf(view, order)).toMatchObject({ state: 'paid' });
  const transport = changedAnswers(node.transport, 'account_tx', changes);
  await expect(xrpl.statusOf({ ...view, transport }, order)).rejects.toThrow('no transaction is known');
});

it('counts tokens of its issuer alone among what the vault has', async () => {
  const vault = vaultOf(`USD.${ISSUER}`)(keys);
  const node = xrplNode({ currency: 'USD', issuer: ISSUER });
  node.fund(home(vault), 50_000_000n);
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '5', attempt: 1 } as const;
  for (const changes of [{ 'lines.0.account': BOB }, { 'lines.0.currency': 'EUR' }]) {
    const transport = changedAnswers(node.transport, 'account_lines', changes);
    await expect(xrpl.referenceFor({ vault, transport, relayer: null }, wanted, [])).rejects.toThrow(InsufficientFunds);
  }
});

it.each([
  ['temBAD_FEE', false],
  ['tefMAX_LEDGER', false],
  ['telINSUF_FEE_P', false],
  ['no tesSUCCESS', false],
  ['tecUNFUNDED_PAYMENT', true],
  ['terPRE_SEQ', true],
  ['tefALREADY', true],
  ['tefPAST_SEQ', true],
])('of %s it is %s that a payment was taken, or is told by its sequence', async (engine_result, isTaken) => {
  const vault = vaultOf(null)(keys);
  const node = xrplNode(null);
  node.fund(home(vault), 50_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '5', attempt: 1 } as const;
  const order = { ...wanted, reference: await xrpl.referenceFor(view, wanted, []) };
  const payment = xrpl.complete(vault, order, sign(xrpl.build(vault, order)));
  const transport = changedAnswers(node.transport, 'submit', { engine_result });
  const handed = xrpl.broadcast({ ...view, transport }, payment);
  if (isTaken) expect(await handed).toBe(payment.transaction);
  else await expect(handed).rejects.toThrow(engine_result);
});

it('keeps what each object of the vault reserves', async () => {
  const vault = vaultOf(null)(keys);
  const node = xrplNode(null);
  node.fund(home(vault), 10_000_000n);
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '5', attempt: 1 } as const;
  const owning = (OwnerCount: number) =>
    xrpl.referenceFor(
      {
        vault,
        transport: changedAnswers(node.transport, 'account_info', { 'account_data.OwnerCount': OwnerCount }),
        relayer: null,
      },
      wanted,
      [],
    );
  expect(await owning(0)).toContain('sequence=');
  await expect(owning(1_000)).rejects.toThrow(InsufficientFunds);
});

it.each([null, `USD.${ISSUER}`])(
  'offers ten times the fee for what cancels a payment of %s, and pays nobody',
  (token) => {
    const vault = vaultOf(token)(keys);
    const cancelled: PaymentOrder = {
      kind: 'cancel',
      commitment: COMMITMENT,
      to: home(vault),
      amount: '0',
      reference: 'sequence=7 fee=12 ledger=1',
    };
    const { raw } = xrpl.complete(vault, cancelled, sign(xrpl.build(vault, cancelled)));
    const transaction = decode(raw);
    expect(transaction).toMatchObject({ Fee: '120', Sequence: 7, Account: home(vault) });
    expect(transaction).not.toHaveProperty('Destination');
    const paid = { ...cancelled, kind: 'payout', to: BOB, amount: '5' } as const;
    expect(decode(xrpl.complete(vault, paid, sign(xrpl.build(vault, paid))).raw)).toMatchObject({ Fee: '12' });
  },
);

it('names a commitment of 32 bytes and no other', () => {
  const vault = vaultOf(null)(keys);
  const order = { kind: 'payout', to: BOB, amount: '5', reference: 'sequence=7 fee=12 ledger=1' } as const;
  for (const commitment of ['', COMMITMENT.slice(2), `${COMMITMENT}00`, COMMITMENT.toUpperCase()])
    expect(() => xrpl.build(vault, { ...order, commitment }), commitment).toThrow(RangeError);
});

it.each(['USD', `USD.${ISSUER}.more`, `XRP.${ISSUER}`, `TOOLONG.${ISSUER}`, `usd1.${ISSUER}`, `.${ISSUER}`])(
  'knows no token %s',
  (token) => {
    const vault = vaultOf(token)(keys);
    const order = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '5' } as const;
    expect(() => xrpl.build(vault, { ...order, reference: 'sequence=7 fee=12 ledger=1' })).toThrow(RangeError);
  },
);

it.each([
  ['1', '0.000001'],
  ['999999', '0.999999'],
  ['1000000', '1'],
  ['10000001', '10.000001'],
  ['12500000', '12.5'],
])('writes %s units of a token as %s', (amount, value) => {
  const vault = vaultOf(`USD.${ISSUER}`)(keys);
  const order = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount } as const;
  const whole = { ...order, reference: 'sequence=7 fee=12 ledger=1' };
  const { raw } = xrpl.complete(vault, whole, sign(xrpl.build(vault, whole)));
  expect(decode(raw).Amount).toEqual({ currency: 'USD', issuer: ISSUER, value });
});

it('builds no payment of the vault to itself, which the ledger would not take', () => {
  const vault = vaultOf(null)(frostCluster().keys);
  const reference = 'sequence=7 fee=12 ledger=1';
  const order = { kind: 'payout', commitment: COMMITMENT, reference, to: home(vault), amount: '1000000' } as const;
  expect(() => xrpl.build(vault, order)).toThrow('the vault does not pay itself');
  expect(() => xrpl.build(vault, { ...order, to: BOB })).not.toThrow();
});
