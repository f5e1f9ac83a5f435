import { z } from 'zod';
import type { LedgerSight } from '../../domain/bridge/signing/ledger-sight.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { type ClientCredentials, TokenSource } from '../calls/token-source.ts';

const ANSWER_MS_MAX = 10_000;

const Debit = z.object({
  commitment: z.string(),
  debit: z.object({ reference: z.string(), amount: z.string().regex(/^[1-9]\d*$/) }).nullable(),
});
const Payout = z.object({ commitment: z.string(), is_paid: z.boolean() });
const VoidedPayout = z.object({ commitment: z.string(), is_void: z.boolean() });

/** Where the exchange answers its tenants, and the client of the organization that asks there. */
export interface ExchangePlace extends ClientCredentials {
  /** Of the profile, as `https://exchange.example/bridge`. */
  readonly url: string;
}

/** The exchange's ledger as a signer sees it that an organization runs: by the calls of the bridge that are its organization's alone. */
export class ExchangeLedger implements LedgerSight {
  readonly #url: string;
  readonly #tokens: TokenSource;

  constructor({ url, ...client }: ExchangePlace) {
    this.#url = url.replace(/\/+$/, '');
    this.#tokens = new TokenSource(client);
  }

  async debit(terms: TransferTerms) {
    const { debit } = Debit.parse(await this.#ask(terms, 'GET', 'debit'));
    return debit === null ? [] : [{ ...debit, confirmations: 1 }];
  }

  async voidPayout(terms: TransferTerms): Promise<boolean> {
    return VoidedPayout.parse(await this.#ask(terms, 'POST', 'payout/void')).is_void;
  }

  async hasPaidOut(terms: TransferTerms): Promise<boolean> {
    return Payout.parse(await this.#ask(terms, 'GET', 'payout')).is_paid;
  }

  async #ask(terms: TransferTerms, method: 'GET' | 'POST', what: string): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/v1/transfer/${encodeURIComponent(terms.id)}/${what}`, {
      method,
      headers: { authorization: `Bearer ${await this.#tokens.token()}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (response.status === 401) this.#tokens.forget();
    if (response.status !== 200) throw new Error(`the exchange answered ${response.status}`);
    const answer: unknown = await response.json();
    const { commitment } = z.object({ commitment: z.string() }).parse(answer);
    if (commitment !== termsCommitment(terms)) throw new Error('the exchange has other terms under this id');
    return answer;
  }
}
