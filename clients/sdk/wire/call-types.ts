/** Types of calls, read off the types that openapi-typescript writes of a document. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths of a document that have this method. */
export type PathOf<Paths, M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, object> ? P : never;
}[keyof Paths] &
  string;

type Part<Operation, Name extends string> = Operation extends { parameters: infer P }
  ? Name extends keyof P
    ? NonNullable<P[Name]>
    : never
  : never;

/** Numbers of a query may be given as numbers. */
type Loose<Query> = { [K in keyof Query]: string extends NonNullable<Query[K]> ? Query[K] | number : Query[K] };

type Body<Operation> = Operation extends { requestBody?: infer B } ? Content<NonNullable<B>> : never;

/** Whatever is no JSON is a form. */
type Content<B> = [B] extends [never] ? never : B extends { content: { 'application/json': infer J } } ? J : FormData;

type Field<Name extends string, T> = [T] extends [never]
  ? unknown
  : // biome-ignore lint/complexity/noBannedTypes: an object without fields that have to be there
    {} extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T };

/** What a call takes: the parts of its path, its query and body, and what every call has. */
export type Options<Operation> = Field<'path', Part<Operation, 'path'>> &
  Field<'query', Loose<Part<Operation, 'query'>>> &
  Field<'body', Body<Operation>> &
  CallOptions;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of a change: one is made where it is left out. */
  readonly idempotencyKey?: string | undefined;
}

/** Options may be left out where none of them has to be there. */
export type Rest<Operation> =
  // biome-ignore lint/complexity/noBannedTypes: an object without fields that have to be there
  {} extends Options<Operation> ? [options?: Options<Operation>] : [options: Options<Operation>];

/** The body of the answer of success. */
export type AnswerOf<Operation> = Operation extends { responses: infer R }
  ? {
      [S in keyof R]: R[S] extends { content: infer C }
        ? C extends { 'application/json': infer J }
          ? J
          : C extends Record<`text/${string}`, string>
            ? string
            : Uint8Array
        : undefined;
    }[keyof R]
  : never;
