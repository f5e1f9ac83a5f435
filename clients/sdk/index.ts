export { BookClient, type BookPaths, type BookTypes, type Fill, type Order, type OrderRequest } from './book.ts';
export { ExchangeClient, type ExchangePaths, type ExchangeTypes } from './exchange.ts';
export { tenantCredentials } from './tenant-credentials.ts';
export { TokenSession, type Tokens } from './token-session.ts';
export { bearerCredentials, type Credentials, keyCredentials, type TokenSource } from './wire/credentials.ts';
export { type Answered, ExchangeError, type Failure, failureOf } from './wire/failure.ts';
export { signature } from './wire/sign.ts';
export type { TransportOptions } from './wire/transport.ts';
