/** One piece of work at a time, in the order of their coming. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
