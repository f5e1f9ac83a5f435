import type { CommitAnswer } from '../../ledger/api.ts';
import { AnswerWatch, NoAnswer } from '../settlement/answer-watch.ts';
import type { Batch } from './batch.ts';
import type { FlowHost } from './flow-host.ts';

const RETRY_DELAY_MS_MIN = 5;
const RETRY_DELAY_MS_MAX = 1_000;
/** Without an answer for so long a batch counts as lost and is sent again; twice as long each time, since calls that hang pile up. */
const ANSWER_WAIT_MS_MIN = 5_000;
const ANSWER_WAIT_MS_MAX = 60_000;

/** Sends batches to the ledger, one at a time. */
export class BatchSender {
  readonly #host: Pick<FlowHost, 'ledger' | 'step' | 'warn'>;
  readonly #watch: AnswerWatch;
  #isLedgerSilent = false;

  constructor(host: Pick<FlowHost, 'ledger' | 'step' | 'timer' | 'warn'>) {
    this.#host = host;
    this.#watch = new AnswerWatch(host.timer);
  }

  /** The ledger has neither answered nor failed for ANSWER_WAIT_MS_MIN: nobody else needs to wait for it. */
  get isLedgerSilent(): boolean {
    return this.#isLedgerSilent;
  }

  /**
   * Sends the same text until its outcome is known.
   *
   * @param whileOpen called about once a second and after each failure meanwhile
   */
  async outcomeOf({ batch, text }: Batch, whileOpen: () => void): Promise<CommitAnswer> {
    let delay_ms = RETRY_DELAY_MS_MIN;
    let wait_ms = ANSWER_WAIT_MS_MIN;
    const commit = (): Promise<CommitAnswer> => this.#host.ledger.commit(text);
    for (;;) {
      await this.#host.step('before_commit');
      try {
        const answer = await this.#watch.within(wait_ms, whileOpen, commit);
        this.#isLedgerSilent = false;
        return answer;
      } catch (error) {
        this.#isLedgerSilent = error instanceof NoAnswer;
        if (this.#isLedgerSilent) wait_ms = Math.min(ANSWER_WAIT_MS_MAX, wait_ms * 2);
        this.#host.warn(`batch ${batch}: ${error instanceof Error ? error.message : String(error)}`);
        whileOpen();
        await new Promise((resolve) => setTimeout(resolve, delay_ms));
        delay_ms = Math.min(RETRY_DELAY_MS_MAX, delay_ms * 2);
      }
    }
  }
}
