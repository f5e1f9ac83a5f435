import { type PriceBand, withinBand } from '../../../domain/markets/price-band.ts';
import { mayTrade, type Party } from '../../../domain/orders/eligibility.ts';
import type { Engine, EngineCommand, EngineEvent, PlaceOrder } from './engine.ts';
import { crosses } from './rules.ts';

interface Witnessed {
  terms: PlaceOrder;
  quantity: number;
  price: number;
  party: Party;
  filled: number;
  decremented: number;
  /** Cancelled or expired. */
  ended: number;
  state: 'arriving' | 'awaiting' | 'resting' | 'gone';
  /** Place in time, as the events tell it. */
  turn: number;
  displayed: number;
}

/**
 * Follows a book by its commands and events alone, as an outsider could, and holds every event against the rules of matching. It shares
 * no code with the engines' books.
 */
export class EventWitness {
  private readonly orders = new Map<string, Witnessed>();
  private readonly levels = new Map<string, number>();
  private command: EngineCommand | null = null;
  private band: PriceBand | null = null;
  private sequence = 0;
  private tradeSequence = 0;
  private turns = 0;

  seeCommand(command: EngineCommand): void {
    this.command = command;
  }

  seeBand(band: PriceBand | null): void {
    this.band = band;
  }

  seeEvent(event: EngineEvent): void {
    assertThat(event.sequence === ++this.sequence, `event ${event.sequence} follows ${this.sequence - 1}`);
    switch (event.type) {
      case 'accepted':
        this.arrive(event.orderId);
        break;
      case 'rested': {
        const order = this.at(event.orderId);
        assertThat(event.remaining === left(order), `${event.orderId} rests with what is left of it`);
        if (!event.pendingTrigger) this.standWithin(order);
        this.stand(order, event.pendingTrigger ? 'awaiting' : 'resting');
        break;
      }
      case 'filled':
        this.fill(event);
        break;
      case 'triggered':
        this.at(event.orderId).state = 'arriving';
        break;
      case 'amended':
        this.amend(event);
        break;
      case 'decremented':
        this.decrement(event.orderId, event.quantity);
        break;
      case 'cancelled':
      case 'expired': {
        const order = this.at(event.orderId);
        assertThat(event.remaining === left(order), `${event.orderId} ends with what is left of it`);
        order.ended += event.remaining;
        order.state = 'gone';
        break;
      }
      case 'level': {
        const level = `${event.side} ${event.price}`;
        assertThat((this.levels.get(level) ?? 0) !== event.quantity, `${level} has changed`);
        this.levels.set(level, event.quantity);
        break;
      }
      case 'band_reached': {
        const { low, high } = this.band ?? { low: 0, high: 0 };
        assertThat(event.price === low || event.price === high, 'the end of the band is what trading has come to');
        assertThat(this.at(event.orderId).filled > 0, 'an order that comes to the end of the band has traded');
        break;
      }
      case 'rejected':
      case 'refused':
        break;
    }
  }

  /** @throws Error when the engine's book is not the one that its events tell of. */
  assertAgrees(engine: Engine): void {
    let live = 0;
    for (const [orderId, order] of this.orders) {
      const remaining = engine.order(orderId)?.remaining ?? 0;
      assertThat(
        order.filled + order.decremented + order.ended + remaining === order.quantity,
        `quantity of ${orderId} is conserved`,
      );
      if (remaining > 0) live++;
    }
    assertThat(live === engine.size, 'every live order has told of itself');
    const displayed = new Map<string, number>();
    for (const { side, price, displayed: more } of engine.snapshot().orders)
      if (more > 0) displayed.set(`${side} ${price}`, (displayed.get(`${side} ${price}`) ?? 0) + more);
    const shown = [...this.levels.values()].filter((quantity) => quantity > 0).length;
    assertThat(shown === displayed.size, 'levels tell all that is displayed');
    for (const [level, quantity] of displayed) assertThat(this.levels.get(level) === quantity, level);
    assertThat(isUncrossed(engine), 'the public book is not crossed');
  }

  private arrive(orderId: string): void {
    const terms = this.command;
    if (terms?.type !== 'place' || terms.orderId !== orderId) throw new Error(`${orderId} was not placed`);
    const { quantity, price } = terms;
    this.orders.set(orderId, {
      terms,
      quantity,
      price,
      party: terms,
      filled: 0,
      decremented: 0,
      ended: 0,
      state: 'arriving',
      turn: 0,
      displayed: 0,
    });
  }

  private fill(event: Extract<EngineEvent, { type: 'filled' }>): void {
    const maker = this.at(event.makerId);
    const taker = this.at(event.takerId);
    assertThat(event.tradeSequence === ++this.tradeSequence, `trade ${event.tradeSequence} follows`);
    assertThat(taker.terms.side === event.takerSide && maker.terms.side !== event.takerSide, 'a buyer meets a seller');
    assertThat(maker.state === 'resting' && taker.state === 'arriving', 'a taker meets a resting order');
    assertThat(maker.terms.account !== taker.terms.account, 'nobody trades with himself');
    assertThat(event.price === maker.price, "a fill is at the maker's price");
    assertThat(crosses(event.takerSide, taker.price, event.price), "a fill is within the taker's limit");
    const { low, high } = this.band ?? { low: 0, high: Number.POSITIVE_INFINITY };
    const isWithin = event.takerSide === 'buy' ? event.price <= high : event.price >= low;
    assertThat(isWithin, 'nobody takes beyond the price band');
    for (const [otherId, other] of this.orders) {
      const passed =
        other !== maker && other.state === 'resting' && this.couldMeet(taker, other) && ranksBefore(other, maker);
      assertThat(!passed, `${event.makerId} trades after ${otherId}`);
    }
    assertThat(this.couldMeet(taker, maker), 'both sides qualify');
    const offered = maker.terms.hidden ? left(maker) : maker.displayed;
    assertThat(event.quantity === Math.min(left(taker), offered), 'a fill takes all it can');
    taker.filled += event.quantity;
    maker.filled += event.quantity;
    this.show(maker, event.quantity);
    assertThat(
      event.makerRemaining === left(maker) && event.takerRemaining === left(taker),
      'a fill tells what is left',
    );
    if (left(taker) === 0) taker.state = 'gone';
  }

  private decrement(orderId: string, quantity: number): void {
    const order = this.at(orderId);
    order.decremented += quantity;
    if (order.state === 'resting') this.show(order, quantity);
  }

  private amend(event: Extract<EngineEvent, { type: 'amended' }>): void {
    const order = this.at(event.orderId);
    if (this.command?.type !== 'amend') throw new Error(`${event.orderId} was not amended`);
    order.quantity = event.quantity;
    order.price = event.price;
    const { requires, family = order.party.family ?? null } = this.command;
    if (!event.keptPriority) order.party = { ...order.party, requires, family };
    assertThat(event.remaining === left(order), `${event.orderId} has what is left of its new quantity`);
    if (event.keptPriority) order.displayed = Math.min(order.displayed, left(order));
    else order.state = 'arriving';
  }

  /** Takes quantity from what a resting order shows, and refills its slice. */
  private show(order: Witnessed, quantity: number): void {
    if (!order.terms.hidden) order.displayed -= quantity;
    if (left(order) === 0) order.state = 'gone';
    else if (!order.terms.hidden && order.displayed === 0) this.stand(order, 'resting');
  }

  private stand(order: Witnessed, state: 'awaiting' | 'resting'): void {
    const { hidden, displayQuantity } = order.terms;
    order.state = state;
    order.turn = ++this.turns;
    order.displayed = hidden ? 0 : Math.min(left(order), displayQuantity === 0 ? left(order) : displayQuantity);
  }

  private couldMeet(taker: Witnessed, maker: Witnessed): boolean {
    return (
      maker.terms.side !== taker.terms.side &&
      crosses(taker.terms.side, taker.price, maker.price) &&
      mayTrade(taker.party, maker.party)
    );
  }

  /** A stop without a limit stands at its collar, as far as the band lets it. */
  private standWithin(order: Witnessed): void {
    const { orderType, side } = order.terms;
    if (orderType !== 'stop_loss' && orderType !== 'take_profit') return;
    order.price = withinBand(this.band, side, order.price);
  }

  private at(orderId: string): Witnessed {
    const order = this.orders.get(orderId);
    if (order === undefined) throw new Error(`${orderId} was never accepted`);
    return order;
  }
}

function left(order: Witnessed): number {
  return order.quantity - order.filled - order.decremented - order.ended;
}

/** Price, then displayed before hidden, then time. */
function ranksBefore(a: Witnessed, b: Witnessed): boolean {
  if (a.price !== b.price) return a.terms.side === 'buy' ? a.price > b.price : a.price < b.price;
  if (a.terms.hidden !== b.terms.hidden) return b.terms.hidden;
  return a.turn < b.turn;
}

function assertThat(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`);
}

function isUncrossed(engine: Engine): boolean {
  return [0, 1, 2, 3, 4, 7].every((common) => {
    const { bids, asks } = engine.depth(1, common);
    return (bids[0]?.[0] ?? 0) < (asks[0]?.[0] ?? Number.POSITIVE_INFINITY);
  });
}
