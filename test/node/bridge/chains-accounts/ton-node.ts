import { createHash } from 'node:crypto';
import { Address, beginCell, Cell, loadMessage, loadMessageRelaxed, loadStateInit, type StateInit } from '@ton/core';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';
import { PAYERS } from './payers.ts';

interface Row {
  account: string;
  hash: string;
  lt: string;
  mc_block_seqno: number | null;
  in_msg: Record<string, unknown>;
  out_msgs: Record<string, unknown>[];
}

/** The third API of TON Center, over wallets of the fourth version. */
export function tonNode(): SimulatedNode {
  let payer: string = PAYERS.ton.payer;
  const balances = new Map<string, bigint>();
  const wallets = new Map<string, { seqno: number; subwallet: number; key: Buffer }>();
  let rows: Row[] = [];
  let time = 1_000n;
  let masterchain = 500;

  const raw = (address: string) => Address.parse(address).toRawString().toUpperCase();
  const nextHash = () => createHash('sha256').update(String(time)).digest('base64');

  function parse(boc: string) {
    const message = loadMessage(Cell.fromBase64(boc).beginParse());
    if (message.info.type !== 'external-in') throw new Error('not an external message');
    const slice = message.body.beginParse();
    const signature = slice.loadBuffer(64);
    const order = slice.asCell();
    const fields = order.beginParse();
    const [subwallet, validUntil, seqno, op] = [
      fields.loadUint(32),
      fields.loadUint(32),
      fields.loadUint(32),
      fields.loadUint(8),
    ];
    const sends: { to: Address; amount: bigint; bounce: boolean }[] = [];
    while (fields.remainingRefs > 0) {
      const mode = fields.loadUint(8);
      const { info } = loadMessageRelaxed(fields.loadRef().beginParse());
      if (info.type !== 'internal' || mode !== 3) throw new Error('another way of sending');
      sends.push({ to: info.dest, amount: info.value.coins, bounce: info.bounce });
    }
    return {
      to: message.info.dest,
      init: message.init,
      signature,
      order,
      subwallet,
      validUntil,
      seqno,
      op,
      sends,
      body: message.body,
    };
  }

  function submit(boc: string): unknown {
    const { to, init, signature, order, subwallet, validUntil, seqno, op, sends, body } = parse(boc);
    const account = to.toRawString().toUpperCase();
    let wallet = wallets.get(account);
    if (wallet === undefined && init != null) {
      const stored = beginCell().storeWritable(loadStateInitBack(init)).endCell();
      if (stored.hash().toString('hex').toUpperCase() !== account.slice(2)) throw new RpcRefusal(500, 'another init');
      const data = init.data!.beginParse();
      wallet = { seqno: data.loadUint(32), subwallet: data.loadUint(32), key: data.loadBuffer(32) };
      wallets.set(account, wallet);
    }
    const refuse = (code: number) =>
      new RpcRefusal(500, `LITE_SERVER_UNKNOWN: cannot apply external message: exitcode=${code}, steps=1`);
    if (wallet === undefined) throw new RpcRefusal(500, 'Failed to unpack account state');
    if (validUntil < 1_800_000_000) throw refuse(36);
    if (seqno !== wallet.seqno) throw refuse(33);
    if (subwallet !== wallet.subwallet) throw refuse(34);
    if (!isSignedBy(wallet.key, order.hash(), signature)) throw refuse(35);
    if (op !== 0) throw new Error('an order for a plugin');
    wallet.seqno += 1;
    time += 10n;
    masterchain += 1;
    const out_msgs: Record<string, unknown>[] = [];
    for (const { to: recipient, amount, bounce } of sends) {
      if ((balances.get(account) ?? 0n) < amount || bounce) continue;
      const destination = recipient.toRawString().toUpperCase();
      balances.set(account, balances.get(account)! - amount);
      balances.set(destination, (balances.get(destination) ?? 0n) + amount);
      out_msgs.push({
        hash: nextHash(),
        source: account,
        destination,
        value: String(amount),
        bounced: false,
        message_content: null,
      });
    }
    balances.set(account, (balances.get(account) ?? 0n) - 5_000_000n);
    const in_msg = {
      hash: Cell.fromBase64(boc).hash().toString('base64'),
      source: null,
      destination: account,
      value: null,
      message_content: { hash: body.hash().toString('base64'), body: body.toBoc().toString('base64') },
    };
    rows.push({ account, hash: nextHash(), lt: String(time), mc_block_seqno: masterchain, in_msg, out_msgs });
    return { message_hash: nextHash() };
  }

  async function get(text: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(text, 'http://ton');
    switch (pathname) {
      case '/api/v3/masterchainInfo':
        return { last: { seqno: masterchain, workchain: -1 }, first: { seqno: 1 } };
      case '/api/v3/jetton/masters':
        return { jetton_masters: [] };
      case '/api/v3/jetton/wallets':
        return { jetton_wallets: [] };
      case '/api/v3/walletInformation': {
        const account = raw(searchParams.get('address')!);
        const wallet = wallets.get(account);
        const last = rows.filter((row) => row.account === account).at(-1)?.lt;
        return {
          balance: String(balances.get(account) ?? 0n),
          ...(wallet === undefined ? {} : { seqno: wallet.seqno, wallet_type: 'wallet v4 r2' }),
          status: wallet === undefined ? 'uninit' : 'active',
          last_transaction_lt: last ?? '0',
        };
      }
      case '/api/v3/transactionsByMessage': {
        const hash = searchParams.get('body_hash');
        const offset = Number(searchParams.get('offset') ?? 0);
        const found = rows.filter(({ in_msg }) => (in_msg.message_content as { hash: string }).hash === hash);
        return {
          transactions: found.slice(offset, offset + Number(searchParams.get('limit') ?? 10)),
          address_book: {},
        };
      }
      case '/api/v3/transactions': {
        const from = BigInt(searchParams.get('start_lt') ?? '0');
        const account = raw(searchParams.get('account')!);
        const own = rows.filter((row) => row.account === account && BigInt(row.lt) >= from);
        const offset = Number(searchParams.get('offset') ?? 0);
        return { transactions: own.slice(offset, offset + Number(searchParams.get('limit'))), address_book: {} };
      }
      default:
        throw new RpcRefusal(404, 'Not Found');
    }
  }

  function deposit(
    place: DepositPlace,
    amount: bigint,
    memo: string | null = place.memo,
    change: Partial<Row> = {},
  ): void {
    const account = raw(place.address);
    time += 10n;
    const body = memo === null ? new Cell() : beginCell().storeUint(0, 32).storeStringTail(memo).endCell();
    const content = { hash: body.hash().toString('base64'), body: body.toBoc().toString('base64') };
    const source = raw(payer);
    const in_msg = {
      hash: nextHash(),
      source,
      destination: account,
      value: String(amount),
      bounced: false,
      message_content: content,
    };
    rows.push({ account, hash: nextHash(), lt: String(time), mc_block_seqno: null, in_msg, out_msgs: [], ...change });
    balances.set(account, (balances.get(account) ?? 0n) + amount);
  }

  return {
    transport: {
      rpc: get as never,
      get,
      post: async (path, body) => {
        if (path !== '/api/v3/message') throw new RpcRefusal(404, 'Not Found');
        return submit((body as { boc: string }).boc);
      },
    },
    fund: (address, amount) => void balances.set(raw(address), amount),
    balance: (address) => balances.get(raw(address)) ?? 0n,
    deposit,
    payBy: (account) => {
      payer = account;
    },
    finalize: () => {
      masterchain += 1;
      for (const row of rows) row.mc_block_seqno ??= masterchain;
    },
    reorganize: () => {
      rows = rows.slice(0, -1);
    },
    decode(boc) {
      const { sends, subwallet, op } = parse(boc);
      if (sends.length !== 1 || subwallet !== 698_983_191 || op !== 0) throw new Error('not one payment');
      return { to: sends[0]!.to.toString({ bounceable: false }), amount: sends[0]!.amount };
    },
  };
}

function loadStateInitBack(init: StateInit) {
  return (builder: ReturnType<typeof beginCell>) => {
    builder.storeBit(0).storeBit(0).storeMaybeRef(init.code).storeMaybeRef(init.data).storeBit(0);
    loadStateInit(builder.endCell().beginParse());
  };
}
