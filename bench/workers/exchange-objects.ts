/** All objects and entry points of the exchange, as deployed: a bench Worker that serves them has whatever they ask for. */
export * from '../../workers/index.ts';
