import type { OpenTransferRequest } from './records.ts';

/** Requests to pay in and out that wait for something, in the order in which they came. */
export class OpenTransferRequests {
  readonly #requests = new Map<string, OpenTransferRequest>();
  readonly #ofAccount = new Map<string, number>();

  get size(): number {
    return this.#requests.size;
  }

  countOf(account: string): number {
    return this.#ofAccount.get(account) ?? 0;
  }

  get(id: string): OpenTransferRequest | undefined {
    return this.#requests.get(id);
  }

  values(): Iterable<OpenTransferRequest> {
    return this.#requests.values();
  }

  /** A new one, or one whose state has changed. */
  set(request: OpenTransferRequest): void {
    if (!this.#requests.has(request.id)) this.#ofAccount.set(request.account, this.countOf(request.account) + 1);
    this.#requests.set(request.id, request);
  }

  delete({ id, account }: Pick<OpenTransferRequest, 'id' | 'account'>): void {
    if (!this.#requests.delete(id)) return;
    const left = this.countOf(account) - 1;
    if (left === 0) this.#ofAccount.delete(account);
    else this.#ofAccount.set(account, left);
  }
}
