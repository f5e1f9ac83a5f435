import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes the WebAssembly module of bls-eth-wasm beside the code that calls it. The package carries it as text and compiles it at its start, which
 * the Workers runtime refuses: there a module is bundled with the Worker.
 */
const BLS_MODULE = fileURLToPath(new URL('../domain/consensus/checkpoints/bls.wasm', import.meta.url));

const MODULE_TEXT = /const wasmBase64 = '([A-Za-z0-9+/=]+)'/;

const source = readFileSync(fileURLToPath(import.meta.resolve('bls-eth-wasm/src/bls_c.js')), 'utf8');
const [, text] = MODULE_TEXT.exec(source) ?? [];
if (text === undefined) throw new Error('bls-eth-wasm carries no module in src/bls_c.js: its build has changed');
writeFileSync(BLS_MODULE, Buffer.from(text, 'base64'));
