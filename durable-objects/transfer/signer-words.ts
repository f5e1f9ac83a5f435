import type { Attestation } from '../../domain/bridge/signing/bridge-signer.ts';
import { fundsClaim } from '../../domain/bridge/signing/funds-claim.ts';
import { hearWord } from '../../domain/bridge/signing/hear-word.ts';
import type { StakeSeat, WordFault } from '../../domain/bridge/signing/judge-word.ts';
import { noteFault } from '../../domain/bridge/signing/signer-fault.ts';
import { log } from '../log/log.ts';
import type { TransferPorts } from './ports.ts';
import type { TransferStore } from './transfer-store.ts';

/** What the signers of a transfer say and do, held to their stakes (docs/design/bridge/signing.md#word-on-funds). */
export class SignerWords {
  readonly #store: TransferStore;
  #seatsRead: { readonly at: number; readonly seats: readonly StakeSeat[] } | null = null;

  constructor(store: TransferStore) {
    this.#store = store;
  }

  /**
   * Who has which seat now, by number.
   *
   * @param held_ms how long what was read is taken for true
   * @throws Error where the chain of the stake does not answer: nobody is taken for one who has a seat
   */
  async seats({ chains }: Pick<TransferPorts, 'chains'>, held_ms: number): Promise<readonly StakeSeat[]> {
    const now = Date.now();
    if (this.#seatsRead === null || now - this.#seatsRead.at >= held_ms)
      this.#seatsRead = { at: now, seats: await chains.seats(this.#store.begun.settings.stake.stake) };
    return this.#seatsRead.seats;
  }

  /** Keeps a signer's word before it counts, and one that contradicts it for good. @returns why it does not count; null where it does */
  async heard(signer: number, word: Attestation, seat: StakeSeat | undefined): Promise<WordFault | null> {
    const { terms, settings, words, faults } = this.#store.begun;
    const { stake, minStake } = settings;
    const held = { claim: fundsClaim(terms, stake, signer), seat: seat ?? { account: null, stake: '0' }, minStake };
    const heard = hearWord({ words, faults }, word, held, Date.now());
    if (heard.words !== words || heard.faults !== faults)
      await this.#store.save({ words: heard.words, faults: heard.faults });
    for (const { reason } of heard.faults.slice(faults.length))
      log(reason === 'contradiction' ? 'error' : 'warn', 'a signer of the bridge is at fault', {
        transfer: terms.id,
        signer,
        reason,
      });
    return heard.fault;
  }

  /** Wrong shares are faults as wrong words are. */
  async noteCheaters(): Promise<void> {
    const { cheaters, faults: known } = this.#store.begun;
    const at = Date.now();
    const faults = cheaters.reduce((noted, signer) => noteFault(noted, { signer, reason: 'wrong_share', at }), known);
    if (faults !== known) await this.#store.save({ faults });
  }
}
