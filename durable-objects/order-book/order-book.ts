import { DurableObject } from 'cloudflare:workers';

export class OrderBook extends DurableObject<Env> {}
