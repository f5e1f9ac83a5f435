import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import fastifyApiReference from '@scalar/fastify-api-reference';

/**
 * Writes the script of the /docs pages beside the Worker's code, which carries it, so that they work without a CDN. The package @scalar/api-reference would bring
 * 270 others; Scalar's Fastify plugin carries the same script whole, behind a route, which is asked for it here. Brotli, since the bundle is measured by gzip, which makes it a third larger.
 */
const target = fileURLToPath(new URL('../workers/middleware/reference-script.bin', import.meta.url));

interface PluginRoute {
  readonly url: string;
  readonly handler: (request: unknown, reply: Reply) => unknown;
}

interface Reply {
  header(name: string, value: string): Reply;
  send(content: string): unknown;
}

type Register = (fastify: object, options: object, next: () => void) => void;

const routes: PluginRoute[] = [];
const register = fastifyApiReference as unknown as Register;
register({ route: (route: PluginRoute) => routes.push(route) }, { configuration: { url: '/openapi.json' } }, () => {});

const script = routes.find(({ url }) => url.endsWith('.js'));
if (script === undefined) throw new Error('@scalar/fastify-api-reference offers no script: its routes have changed');

const reply: Reply = {
  header: () => reply,
  send: (content) =>
    writeFileSync(
      target,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(content) } }),
    ),
};
script.handler(null, reply);
