import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyApiReference from '@scalar/fastify-api-reference';

/**
 * Writes the script of the /docs pages where scripts/web/static-files.ts finds it, so that they work without a CDN. The package @scalar/api-reference would bring
 * 270 others; Scalar's Fastify plugin carries the same script whole, behind a route, which is asked for it here.
 */
const target = fileURLToPath(new URL('../web/reference/scalar.js', import.meta.url));

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
  send: (content) => {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  },
};
script.handler(null, reply);
