import { DurableObject } from 'cloudflare:workers';
import { blockHash } from '../../domain/consensus/block.ts';
import { BlockMaker, type MadeBlock } from '../../domain/consensus/block-maker.ts';
import { memberKey, verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import { voteMessage } from '../../domain/consensus/vote.ts';
import type { Checkpointer } from '../../durable-objects/checkpointer/checkpointer.ts';
import { BlockStore } from '../../durable-objects/sequencer/block-store.ts';
import { Sequencer } from '../../durable-objects/sequencer/sequencer.ts';
import { JournalOfTrades } from './journal-of-trades.ts';

/** Rows of one answer of the journal, which is what a ledger under load has ready. */
const PART_ROWS = 500;
/** As the sequencer votes. */
const WINDOW_BLOCKS = 128;
const SALT_KEY = 'bench-only-settlement-salt-key-0123456789';

export { Checkpointer } from '../../durable-objects/checkpointer/checkpointer.ts';
export { Validator } from '../../durable-objects/validator/validator.ts';

interface BenchEnv {
  readonly SEQUENCER: DurableObjectNamespace<BenchSequencer>;
  readonly SINGLE: DurableObjectNamespace<SingleSigner>;
}

const journals = { embedded: new JournalOfTrades(), objects: new JournalOfTrades(), single: new JournalOfTrades() };

/** Whom the sequencer wakes after it is no part of what is measured; the checkpointer is met by members all the same. */
function unheard(env: Env): Pick<Env, 'CHECKPOINTER' | 'RECORDER'> {
  const wake = async (): Promise<void> => undefined;
  const meet: Checkpointer['meet'] = (...terms) => env.CHECKPOINTER.getByName('checkpointer').meet(...terms);
  const quiet = { getByName: () => ({ wake, meet }) };
  return { CHECKPOINTER: quiet, RECORDER: quiet } as unknown as Pick<Env, 'CHECKPOINTER' | 'RECORDER'>;
}

/** The sequencer as deployed, with twenty members that live with it or in objects of their own, over a journal of the bench. */
export class BenchSequencer extends Sequencer {
  readonly #journal: JournalOfTrades;

  constructor(ctx: DurableObjectState, env: Env) {
    const members = ctx.id.name === 'objects' ? 'objects' : 'embedded';
    const journal = journals[members];
    const journalPartAfter = async (seq: number) => ({ type: 'rows' as const, rows: journal.after(seq, PART_ROWS) });
    const LEDGER = { getByName: () => ({ journalPartAfter }) } as unknown as Env['LEDGER'];
    super(ctx, { ...env, LEDGER, ...unheard(env), CONSENSUS_MEMBERS: members } as Env);
    this.#journal = journal;
  }

  /** Makes so many blocks final. @returns the height that is */
  async finalize(blocks: number): Promise<number> {
    this.#journal.grow(blocks);
    const { height } = await this.status();
    while ((await this.status()).finalHeight < height + blocks) {
      await this.wake();
      const { waitsFor } = await this.status();
      if (waitsFor !== null) throw new Error(`no blocks are made: ${waitsFor}`);
    }
    return (await this.status()).finalHeight;
  }
}

/** A chain of the same blocks, stored in the same way, that one key signs. */
export class SingleSigner extends DurableObject<Env> {
  readonly #store = new BlockStore(this.ctx.storage);
  readonly #key = memberKey(new Uint8Array(32).fill(7));

  async finalize(blocks: number): Promise<number> {
    journals.single.grow(blocks);
    const key = await this.#key;
    const committee = '0'.repeat(64);
    for (let left = blocks; left > 0; left -= PART_ROWS) {
      const rows = journals.single.after(this.#store.read.seq, Math.min(left, PART_ROWS));
      const maker = new BlockMaker(committee, this.#store.last, this.#store.read, SALT_KEY);
      const made = rows.map((row) => maker.add(row)).concat(maker.end());
      this.#store.append(
        made.filter((block): block is MadeBlock => block !== null),
        maker.read,
      );
      for (let open = this.#store.open(WINDOW_BLOCKS); open.length > 0; open = this.#store.open(WINDOW_BLOCKS)) {
        const tip = open.at(-1);
        if (tip === undefined) break;
        const { height } = tip;
        const hash = blockHash(tip);
        const message = voteMessage(committee, height, hash);
        this.#store.keepVote(committee, 0, { height, hash });
        const signature = await key.sign(message);
        if (!(await verifyEd25519(key.publicKey, message, signature))) throw new Error('not signed');
        this.#store.finalize(tip, { height, hash, votes: [{ member: 0, signature }] });
      }
    }
    return this.#store.final?.height ?? 0;
  }
}

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const blocks = Number(searchParams.get('blocks'));
    const name = pathname.slice(1);
    const place = name === 'single' ? env.SINGLE.getByName(name) : env.SEQUENCER.getByName(name);
    return Response.json(await place.finalize(blocks));
  },
};
