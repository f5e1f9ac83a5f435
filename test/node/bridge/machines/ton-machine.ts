import { Address, beginCell, Cell, loadMessage, type Message, SendMode, storeMessage } from '@ton/core';
import { Blockchain, type BlockchainTransaction, EmulationError } from '@ton/sandbox';
import {
  type ChainTransport,
  type DepositPlace,
  RpcRefusal,
  type Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { commentBody, walletAddress } from '../../../../domain/bridge/chains/ton/ton-wallet.ts';
import type { Machine } from './describe-machine.ts';

const NOW_S = 1_790_000_000;

interface Row {
  readonly account: string;
  readonly hash: string;
  readonly lt: string;
  mc_block_seqno: number | null;
  readonly in_msg: ReturnType<typeof shown> | null;
  readonly out_msgs: readonly ReturnType<typeof shown>[];
}

/** The third API of TON Center over TON's own virtual machine, with the main network's configuration: wallets, fees and what goes out are the machine's. */
export async function tonMachine({ keys, network }: Vault): Promise<Machine> {
  const chain = await Blockchain.create();
  // Accounts pay for the time that they stand there.
  chain.now = NOW_S;
  const payer = await chain.treasury('payer');
  const home = walletAddress(keys.groupKey, network);
  const rows: Row[] = [];
  let masterchain = 500;

  async function send(message: Message): Promise<void> {
    const { transactions } = await chain.sendMessage(message);
    record(transactions);
  }

  function record(transactions: readonly BlockchainTransaction[]): void {
    for (const { address, hash, lt, inMessage, outMessages } of transactions)
      rows.push({
        account: `0:${address.toString(16).padStart(64, '0')}`.toUpperCase(),
        hash: hash().toString('base64'),
        lt: String(lt),
        mc_block_seqno: null,
        in_msg: inMessage == null ? null : shown(inMessage),
        out_msgs: outMessages.values().map(shown),
      });
  }

  async function take(boc: string): Promise<object> {
    try {
      await send(loadMessage(Cell.fromBase64(boc).beginParse()));
    } catch (error) {
      if (!(error instanceof EmulationError)) throw error;
      throw new RpcRefusal(500, `LITE_SERVER_UNKNOWN: cannot apply external message: exitcode=${error.exitCode}`);
    }
    return {};
  }

  async function pay(to: Address, value: bigint, memo: string | null): Promise<void> {
    const body = memo === null ? Cell.EMPTY : commentBody(memo);
    const sent = await payer.send({ to, value, bounce: false, body, sendMode: SendMode.PAY_GAS_SEPARATELY });
    record(sent.transactions);
  }

  async function wallet(account: Address): Promise<object> {
    const contract = await chain.getContract(account);
    const isActive = contract.accountState?.type === 'active';
    const seqno = isActive ? (await chain.runGetMethod(account, 'seqno')).stackReader.readNumber() : null;
    return {
      balance: String(contract.balance),
      status: isActive ? 'active' : 'uninit',
      seqno,
      last_transaction_lt: String(contract.lastTransactionLt),
    };
  }

  async function get(path: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(path, 'http://ton');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name) ?? 0));
    const page = (found: readonly Row[]) => ({
      transactions: found.slice(offset, (offset ?? 0) + (limit ?? 0)),
      address_book: {},
    });
    switch (pathname) {
      case '/api/v3/masterchainInfo':
        return { last: { seqno: masterchain } };
      case '/api/v3/walletInformation':
        return wallet(Address.parse(searchParams.get('address') ?? ''));
      case '/api/v3/transactionsByMessage':
        return page(rows.filter(({ in_msg }) => in_msg?.message_content.hash === searchParams.get('body_hash')));
      case '/api/v3/transactions': {
        const account = Address.parse(searchParams.get('account') ?? '')
          .toRawString()
          .toUpperCase();
        const from = BigInt(searchParams.get('start_lt') ?? '0');
        return page(rows.filter((row) => row.account === account && BigInt(row.lt) >= from));
      }
      default:
        throw new RpcRefusal(404, 'Not Found');
    }
  }

  const transport: ChainTransport = {
    rpc: () => Promise.reject(new Error('no JSON-RPC')),
    get,
    post: (_, body) => take((body as { boc: string }).boc),
  };
  return {
    transport,
    relayer: null,
    payer: payer.address.toString({ bounceable: false, testOnly: network !== 'mainnet' }),
    fund: (amount) => pay(home, amount, null),
    deposit: ({ address, memo }: DepositPlace, amount) => pay(Address.parse(address), amount, memo),
    finalize() {
      masterchain += 1;
      for (const row of rows) row.mc_block_seqno ??= masterchain;
    },
    balance: async (address) => (await chain.getContract(Address.parse(address))).balance,
    take,
  };
}

/** As TON Center tells of a message. */
function shown(message: Message) {
  const { info, body } = message;
  return {
    hash: beginCell().store(storeMessage(message)).endCell().hash().toString('base64'),
    source: info.type === 'external-in' ? null : (info.src?.toRawString().toUpperCase() ?? null),
    destination: info.type === 'external-out' ? null : info.dest.toRawString().toUpperCase(),
    value: info.type === 'internal' ? String(info.value.coins) : null,
    bounced: info.type === 'internal' && info.bounced,
    message_content: { hash: body.hash().toString('base64'), body: body.toBoc().toString('base64') },
  };
}
