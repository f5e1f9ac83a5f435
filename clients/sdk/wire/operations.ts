/** What the library has to know of an operation beside its types. */
export interface Operation {
  /** It takes an Idempotency-Key: repeated under the same one it is done once. */
  readonly isRepeatable?: true;
  /** Fields of its body that are JSON numbers, by path: `price`, `orders.*.price`. */
  readonly numbers?: readonly string[];
}

/** By method and path: `POST /v1/orders`. What is missing is not repeatable and has no numbers. */
export type Operations = Readonly<Record<string, Operation>>;
