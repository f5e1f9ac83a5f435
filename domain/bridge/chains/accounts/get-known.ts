import { type ChainTransport, RpcRefusal } from '../chain-adapter.ts';

const NOT_FOUND = 404;

/** What a node answers below its address; null where it knows of no such thing. @throws RpcRefusal where it refuses for anything else */
export async function getKnown(transport: ChainTransport, path: string): Promise<unknown> {
  try {
    return await transport.get(path);
  } catch (refusal) {
    if (refusal instanceof RpcRefusal && refusal.code === NOT_FOUND) return null;
    throw refusal;
  }
}
