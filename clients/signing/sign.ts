import { readFileSync } from 'node:fs';
import { signature } from '../sdk/wire/sign.ts';

/**
 * Prints `X-API-Signature` of a request (docs/design/identity.md#signatures), as the client library signs:
 * `printf '%s' "$body" | node sign.ts <secret> <timestamp> <METHOD> <path with query>`
 */
const [secret = '', timestamp = '', method = '', path = ''] = process.argv.slice(2);
console.log(await signature(secret, Number(timestamp), method, path, readFileSync(0)));
