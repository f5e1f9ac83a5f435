import { z } from '@hono/zod-openapi';
import type { DepositPlace } from '../../domain/bridge/chains/chain-adapter.ts';
import { CHAIN_NAMES } from '../../domain/bridge/chains/chain-name.ts';
import { creditedFee } from '../../domain/bridge/credited-fee.ts';
import { REFUND_REASONS, TRANSFER_STATES } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { TransferView } from '../../durable-objects/transfer/api.ts';
import {
  fundsOnWire,
  paymentOnWire,
  placeOnWire,
  quoteOnWire,
  waitsUntilOnWire,
} from '../../protocol/bridge/transfer-on-wire.ts';
import { isoTime, isoTimeOrNull } from '../responses/wire.ts';

const ADDRESS_LENGTH_MAX = 200;
/** Of the Cosmos Hub, whose memos are the longest. */
const MEMO_LENGTH_MAX = 256;

export const AssetSymbol = z.string().min(1).max(32).openapi({ description: 'Symbol.', example: 'USDC' });

const ChainPlace = {
  chain: z
    .enum(CHAIN_NAMES)
    .openapi({ description: '`exchange` is the exchange’s own, where assets stand as wrapped tokens.' }),
};

/** A side of a transfer: an account of the exchange, or an address on a chain (`exchange` is the exchange's own). */
export const PlaceBody = z
  .union([
    z.strictObject({ account_id: z.uuid().toLowerCase().openapi({ description: 'Of one of your customers.' }) }),
    z.strictObject({
      ...ChainPlace,
      address: z.string().min(1).max(ADDRESS_LENGTH_MAX).openapi({
        description:
          'Of a source: who pays in, and whom funds go back to; nothing from elsewhere counts. Where the chain does not tell who pays it is not asked, and what anybody pays in counts: Bitcoin, Litecoin, Dogecoin, Bitcoin Cash, Cardano, NEAR, Polkadot and Aptos. Of a destination: who is paid; nobody could use what comes to a burn address, a program, a token or the bridge itself, so that is refused.',
      }),
      memo: z.string().min(1).max(MEMO_LENGTH_MAX).optional().openapi({
        description:
          'What the payment to that address carries, as an exchange asks for it: of a destination the payout, of a source what goes back. `stellar`: `text:`, `id:`, `hash:` or `return:` and the value. `xrpl`: the destination tag. `cosmos`: the memo. `ton`: the comment. `algorand`: the note. Refused on other chains, beside an address that has its own (`M…`, X-addresses), and where the chain says that the account asks for one and none is stated (`details.reason`: `not_carried`, `in_address`, `wrong_form`, `required`). Left out, the payment carries nothing that the payee knows. It is not what you pay in with: that is `deposit.memo`.',
        example: '12345',
      }),
    }),
  ])
  .openapi('BridgePlace');

const PlaceView = z.union([
  z.object({ account_id: z.string() }),
  z.object({
    ...ChainPlace,
    address: z.string().openapi({ description: 'As the chain’s own programs write it.' }),
    memo: z.string().optional().openapi({ description: 'What the payment there carries. Absent for nothing.' }),
  }),
]);

export const TransferId = z.object({ id: z.uuid().toLowerCase() });

/** Of the tenant, and of each quote. */
export const SINGLE_OPERATOR =
  'Whether one operator runs all five signers of the vaults, and could open them alone. False where five addresses of others are named.';

const QuoteView = z.object({
  amount_in: z.string().openapi({ description: 'What has to come, in the smallest unit of the source.' }),
  fee: z.string().openapi({
    description:
      'What of `amount_in` the transfer costs, in the same unit: a share of it, and a flat part that covers what its payout costs.',
  }),
  amount_out: z.string().openapi({ description: 'What is paid, in the smallest unit of the destination.' }),
  expires_at: z.iso.datetime().openapi({ description: 'What comes later goes back.' }),
  single_operator: z.boolean().openapi({ description: SINGLE_OPERATOR }),
});

const DepositView = z
  .object({
    address: z.string().nullable().openapi({
      description:
        'Where to send `quote.amount_in`, in one payment. Null where a contract has to be called: what is sent to its address without that call is nobody’s, and is lost.',
    }),
    memo: z.string().nullable().openapi({
      description: 'What the payment has to carry; without it nobody knows whose it is. Null for nothing.',
    }),
    call: z
      .object({
        to: z.string().openapi({ description: 'The contract.' }),
        data: z.string().openapi({ description: 'Hexadecimal with `0x`, as it is to be sent.' }),
        value: z.string().openapi({ description: 'Of the chain’s coin, in its smallest unit.' }),
        approve: z
          .object({
            token: z.string().openapi({ description: 'The token’s contract.' }),
            spender: z.string().openapi({ description: 'Who has to be approved for `quote.amount_in` before.' }),
            calls: z.array(z.object({ to: z.string(), data: z.string() })).openapi({
              description:
                'The calls that approve it, to be sent from `source.address` in this order, each once the one before is in a block. Two where an earlier allowance is left, as it was when the transfer began: some tokens, USDT among them, change none before it is zero.',
            }),
          })
          .nullable()
          .openapi({ description: 'Null where nothing has to be approved.' }),
      })
      .nullable()
      .openapi({
        description: 'The one call that counts, from `source.address`, once. Null where a payment is enough.',
      }),
  })
  .nullable()
  .openapi({ description: 'How to pay the funds in. Null where they come from an account, which is debited at once.' });

const FundsView = z
  .object({
    reference: z
      .string()
      .openapi({ description: 'Transaction on the source and place in it; of an account, the transfer’s id.' }),
    amount: z.string().openapi({ description: 'What has come, in the smallest unit of the source.' }),
    is_lost: z.boolean().openapi({ description: 'A reorganization has taken them away since.' }),
  })
  .nullable()
  .openapi({ description: 'Null until they are seen.' });

const PaymentView = z
  .object({
    kind: z.enum(['payout', 'refund']),
    reference: z.string().openapi({
      description: 'By which it is paid once at most; of an account, the id of the ledger’s transaction.',
    }),
    transaction: z.string().nullable().openapi({
      description: 'Its hash on the chain. Null until it is handed in, and where the ledger pays.',
    }),
  })
  .nullable()
  .openapi({ description: 'What goes out: null before it has its reference.' });

const signers = (what: string) => z.array(z.int()).openapi({ description: `Numbers of signers that ${what}, 0 to 4.` });

export const BridgeTransferView = z
  .object({
    id: z.uuid(),
    state: z.enum(TRANSFER_STATES),
    asset: z.string().openapi({ description: 'Symbol.' }),
    source: PlaceView,
    destination: PlaceView,
    quote: QuoteView,
    commitment: z.string().openapi({ description: 'SHA-256 of the terms: what a deposit has to name.' }),
    deposit: DepositView,
    funds: FundsView,
    other_funds: z
      .array(
        z.object({
          payer: z.string().openapi({ description: 'Who has paid it.' }),
          reference: z.string(),
          amount: z.string().openapi({ description: 'In the smallest unit of the source.' }),
        }),
      )
      .openapi({
        description:
          'What somebody else than `source.address` has paid in, such as an exchange from a wallet of its own: looked at once the quote has ended (state `paid_by_other`), on chains that tell who pays. It is not paid out. It goes back to that payer by an order of the exchange’s operators; ask for it.',
      }),
    returned_to: z.string().nullable().openapi({
      description: 'Who gets `funds` back in place of `source.address`, since they have paid them. Null for nobody.',
    }),
    debit_refusal: z.string().nullable().openapi({
      description:
        'Why the ledger has not taken its funds from the account, such as `insufficient_balance`. Null where it has, or need not.',
    }),
    attested_by: signers('have seen the funds'),
    refused_by: signers('refuse it'),
    payment: PaymentView,
    refund_reason: z
      .enum(REFUND_REASONS)
      .nullable()
      .openapi({ description: 'Why its funds go back. Null where they do not.' }),
    is_uncovered: z.boolean().openapi({ description: 'It was paid, and its funds were lost afterwards.' }),
    fee_credit: z
      .object({
        account_id: z.string().openapi({ description: 'Of the tenant.' }),
        amount: z.string().openapi({
          description:
            'What it is credited with, in the smallest unit of the ledger: the share of the fee, without its flat part.',
        }),
        credited_at: z.iso.datetime().nullable().openapi({
          description: 'Null until then: a day after the end of the transfer, as long as its funds are there.',
        }),
      })
      .nullable()
      .openapi({
        description: 'What the transfer has earned. Null until it is `confirmed`, and where that stays in the vault.',
      }),
    waits_until: z.iso.datetime().nullable().openapi({ description: 'When its state ends by itself.' }),
    waits_for: z
      .string()
      .nullable()
      .openapi({ description: 'Why it does not go on, if it does not, for people to read.' }),
    history: z
      .array(
        z.object({
          at: z.iso.datetime(),
          from: z.enum(TRANSFER_STATES),
          to: z.enum(TRANSFER_STATES),
          cause: z
            .string()
            .openapi({ description: 'What happened, such as `funds_seen`, `attested`, `vetoed`, `clock`.' }),
        }),
      )
      .openapi({ description: 'Changes of its state, oldest first; of more than 100, the first and last 50.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('BridgeTransfer');

export function transferOnWire(view: TransferView, hasOneOperator: boolean): z.infer<typeof BridgeTransferView> {
  const { terms, transfer, place } = view;
  return {
    id: terms.id,
    state: transfer.state,
    ...termsOnWire(terms, hasOneOperator),
    commitment: view.commitment,
    deposit: place && {
      address: place.call === null ? place.address : null,
      memo: place.memo,
      call: place.call && { ...place.call, approve: place.call.approve && approvalOf(place.call.approve, terms) },
    },
    funds: fundsOnWire(transfer.funds),
    attested_by: [...transfer.attestedBy],
    refused_by: [...transfer.refusedBy],
    other_funds: view.others.map((one) => ({ ...one })),
    returned_to: view.returnTo,
    debit_refusal: view.debitRefusal,
    payment: paymentOnWire(transfer.payment),
    refund_reason: transfer.refundReason,
    is_uncovered: transfer.isUncovered,
    fee_credit: feeCreditOnWire(view),
    waits_until: waitsUntilOnWire(transfer),
    waits_for: view.waitsFor,
    history: transfer.history.map(({ at, from, to, cause }) => ({ at: isoTime(at), from, to, cause })),
    created_at: isoTime(view.createdAt),
  };
}

function feeCreditOnWire({ transfer, settings, feeCreditedAt }: TransferView) {
  const fee = transfer.state === 'confirmed' ? creditedFee(settings) : null;
  return fee && { account_id: fee.account, amount: String(fee.amount), credited_at: isoTimeOrNull(feeCreditedAt) };
}

/** What a transfer is to do: shown alike of one, and in lists. */
export function termsOnWire(
  terms: TransferTerms,
  hasOneOperator: boolean,
): Pick<z.infer<typeof BridgeTransferView>, 'asset' | 'source' | 'destination' | 'quote'> {
  return {
    asset: terms.asset,
    source: placeOnWire(terms.source),
    destination: placeOnWire(terms.destination),
    quote: { ...quoteOnWire(terms), single_operator: hasOneOperator },
  };
}

/** A record of an earlier release has no calls: the one that approves the amount is what its payer had to send. */
function approvalOf(
  { token, spender, calls }: NonNullable<NonNullable<DepositPlace['call']>['approve']>,
  { amountIn }: Pick<TransferTerms, 'amountIn'>,
) {
  const known = calls ?? [{ to: token, data: approveCall(spender, amountIn) }];
  return { token, spender, calls: known.map(({ to, data }) => ({ to, data })) };
}

/** `approve(address,uint256)` of ERC-20. */
function approveCall(spender: string, amount: string): string {
  const words = [spender.replace(/^0x/, '').toLowerCase(), BigInt(amount).toString(16)];
  return `0x095ea7b3${words.map((word) => word.padStart(64, '0')).join('')}`;
}
