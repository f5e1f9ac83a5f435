import { createHash } from 'node:crypto';
import { xAddressToClassicAddress } from 'ripple-address-codec';
import { decode, encode, encodeForSigning } from 'ripple-binary-codec';
import type { DepositPlace } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';
import { PAYERS } from './payers.ts';

interface Entry {
  readonly hash: string;
  readonly ledger_index: number;
  readonly validated: true;
  readonly tx_json: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
}

const RESERVE = 1_000_000n;
const half = (text: string) =>
  createHash('sha512').update(Buffer.from(text, 'hex')).digest('hex').slice(0, 64).toUpperCase();

/** rippled's JSON-RPC, second version of the API. XRP, or one issued token, of which values are whole numbers of millionths. */
export function xrplNode(token: { currency: string; issuer: string } | null): SimulatedNode & { submitted: string[] } {
  let payer: string = PAYERS.xrpl.payer;
  const drops = new Map<string, bigint>();
  const lines = new Map<string, bigint>();
  const sequences = new Map<string, number>();
  let entries: Entry[] = [];
  let queue: { tx: Record<string, unknown>; blob: string }[] = [];
  let ledger = 1_000;
  const submitted: string[] = [];

  const classic = (address: string) =>
    address.startsWith('X') ? xAddressToClassicAddress(address).classicAddress : address;
  const issued = (units: bigint) => ({ ...token, value: String(Number(units) / 1e6) });
  const unitsOf = (amount: unknown) =>
    typeof amount === 'string' ? BigInt(amount) : BigInt(Math.round(Number((amount as { value: string }).value) * 1e6));

  function submit(blob: string): string {
    const tx = decode(blob) as Record<string, unknown>;
    const { TxnSignature: signature, SigningPubKey: key } = tx as Record<string, string>;
    const message = Buffer.from(encodeForSigning(tx), 'hex');
    if (!isSignedBy(Buffer.from(key!.slice(2), 'hex'), message, Buffer.from(signature!, 'hex')))
      return 'temBAD_SIGNATURE';
    submitted.push(blob);
    const next = sequences.get(tx.Account as string) ?? 1;
    const sequence = tx.Sequence as number;
    if (entries.some(({ hash }) => hash === half(`54584E00${blob}`))) return 'tefALREADY';
    if (sequence < next) return 'tefPAST_SEQ';
    queue.push({ tx, blob });
    if (sequence > next) return 'terPRE_SEQ';
    return apply();
  }

  function apply(): string {
    let last = 'tesSUCCESS';
    for (;;) {
      const ready = queue.find(({ tx }) => tx.Sequence === (sequences.get(tx.Account as string) ?? 1));
      if (ready === undefined) return last;
      queue = queue.filter((one) => one !== ready);
      const { tx, blob } = ready;
      const account = tx.Account as string;
      sequences.set(account, (tx.Sequence as number) + 1);
      drops.set(account, (drops.get(account) ?? 0n) - BigInt(tx.Fee as string));
      ledger += 1;
      last = 'tesSUCCESS';
      if (tx.TransactionType === 'Payment') last = pay(account, tx.Destination as string, tx.Amount);
      const { Amount, ...rest } = tx;
      const tx_json = Amount === undefined ? rest : { ...rest, DeliverMax: Amount };
      const delivered = last === 'tesSUCCESS' && Amount !== undefined ? { delivered_amount: Amount } : {};
      const meta = { TransactionResult: last, TransactionIndex: 0, AffectedNodes: [], ...delivered };
      entries.push({ hash: half(`54584E00${blob}`), ledger_index: ledger, validated: true, tx_json, meta });
    }
  }

  function pay(from: string, to: string, amount: unknown): string {
    const map = typeof amount === 'string' ? drops : lines;
    const units = unitsOf(amount);
    if ((map.get(from) ?? 0n) < units) return 'tecUNFUNDED_PAYMENT';
    map.set(from, map.get(from)! - units);
    map.set(to, (map.get(to) ?? 0n) + units);
    return 'tesSUCCESS';
  }

  async function rpc(method: string, params: unknown): Promise<unknown> {
    const [query] = params as [Record<string, unknown>];
    const account = query.account as string;
    if (query.api_version !== 2) throw new Error('another version of the API');
    switch (method) {
      case 'account_info': {
        const Balance = drops.get(account);
        if (Balance === undefined) return { status: 'error', error: 'actNotFound', error_code: 19 };
        const account_data = {
          Account: account,
          Balance: String(Balance),
          OwnerCount: 0,
          Sequence: sequences.get(account) ?? 1,
        };
        return { account_data, ledger_index: ledger, validated: true, status: 'success' };
      }
      case 'fee':
        return {
          drops: { base_fee: '10', median_fee: '5000', minimum_fee: '10', open_ledger_fee: '12' },
          status: 'success',
        };
      case 'server_state':
        return {
          state: { validated_ledger: { base_fee: 10, reserve_base: Number(RESERVE), reserve_inc: 200_000 } },
          status: 'success',
        };
      case 'account_lines': {
        const balance = lines.get(account);
        const held =
          balance === undefined
            ? []
            : [
                {
                  account: token!.issuer,
                  currency: token!.currency,
                  ...issued(balance),
                  balance: issued(balance).value,
                },
              ];
        return { account, lines: held, status: 'success' };
      }
      case 'submit':
        return { engine_result: submit(query.tx_blob as string), status: 'success' };
      case 'account_tx': {
        const own = entries.filter(({ tx_json }) => [tx_json.Account, tx_json.Destination].includes(account));
        const from = own.filter(({ ledger_index }) => ledger_index >= (query.ledger_index_min as number));
        const ordered = query.forward === true ? from : from.reverse();
        const start = (query.marker as { seq: number } | undefined)?.seq ?? 0;
        // A node may give less than it is asked for: here two at a time.
        const transactions = ordered.slice(start, start + 2);
        const marker = start + 2 < ordered.length ? { marker: { ledger: 0, seq: start + 2 } } : {};
        return { account, transactions, ...marker, validated: true, status: 'success' };
      }
      default:
        return { status: 'error', error: 'unknownCmd' };
    }
  }

  function deposit(place: DepositPlace, amount: bigint, memo: string | null = place.memo, change: object = {}): void {
    ledger += 1;
    const given = token === null ? String(amount) : issued(amount);
    const Memos = memo
      ?.split('\n')
      .map((text) => ({ Memo: { MemoData: Buffer.from(text).toString('hex').toUpperCase() } }));
    const tx_json = {
      TransactionType: 'Payment',
      Account: payer,
      Destination: place.address,
      Amount: given,
      Fee: '12',
      Sequence: ledger,
      Flags: 0,
      SigningPubKey: '',
      ...(Memos === undefined ? {} : { Memos }),
    };
    const hash = half(`54584E00${encode(tx_json)}`);
    const { Amount: _, ...listed } = tx_json;
    const meta = { TransactionResult: 'tesSUCCESS', delivered_amount: given, AffectedNodes: [], TransactionIndex: 1 };
    const entry = {
      hash,
      ledger_index: ledger,
      validated: true as const,
      tx_json: { ...listed, DeliverMax: given },
      meta,
    };
    entries.push({ ...entry, ...change });
    const map = token === null ? drops : lines;
    map.set(place.address, (map.get(place.address) ?? 0n) + amount);
  }

  return {
    transport: { rpc, get: rpc as never, post: rpc as never },
    submitted,
    fund(address, amount) {
      drops.set(classic(address), (token === null ? amount : 10_000_000n) + RESERVE);
      if (token !== null) lines.set(classic(address), amount);
    },
    balance: (address) => (token === null ? drops : lines).get(classic(address)) ?? 0n,
    coins: (address) => drops.get(classic(address)) ?? 0n,
    deposit,
    payBy: (account) => {
      payer = account;
    },
    finalize: () => undefined,
    reorganize: () => {
      entries = entries.slice(0, -1);
    },
    decode(raw) {
      const tx = decode(raw) as Record<string, unknown>;
      const tag = tx.DestinationTag === undefined ? '' : `:${tx.DestinationTag}`;
      return { to: `${tx.Destination}${tag}`, amount: unitsOf(tx.Amount) };
    },
  };
}
