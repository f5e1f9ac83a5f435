import { registerHooks } from 'node:module';

/** What modules of the platform have, as far as the Worker's modules extend or read it while they load. */
const PLATFORM = `export class DurableObject {}
export class WorkerEntrypoint {}
export class RpcTarget {}
export const env = {}, exports = {}, waitUntil = () => {}, connect = () => {};
export class EmailMessage {}
export class Container {}
export const getRandom = () => {};`;
const OF_THE_PLATFORM = /^(cloudflare:|@cloudflare\/containers$)/;

/** Lets Node load the profiles of the Worker, to read what they say of themselves: none of them can be called. */
registerHooks({
  resolve: (specifier, context, next) =>
    OF_THE_PLATFORM.test(specifier) ? { url: `cloudflare:${specifier}`, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url.startsWith('cloudflare:') ? { format: 'module', shortCircuit: true, source: PLATFORM } : next(url, context),
});
